import { mkdtempSync, rmSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { makeRunDir, readStack, startSupervisor } from '/work/main/scripts/run-dir.mjs';
import mongoose from 'mongoose';
const base = mkdtempSync('/tmp/ob-');
const dir = makeRunDir(join(base,'e'));
const sup = await startSupervisor({dir, withPrograms:false, tied:true}, ()=>undefined);
const pid = readdirSync('/proc').filter(p=>/^\d+$/.test(p)).find(p=>{try{return readFileSync(`/proc/${p}/cmdline`,'utf8').includes(base)&&readFileSync(`/proc/${p}/cmdline`,'utf8').includes('mongo')}catch{return false}})!;
const cpu=()=>{const s=readFileSync(`/proc/${pid}/stat`,'utf8').split(') ')[1]!.split(' '); return {u:+s[11]!*10,s:+s[12]!*10};};
try {
 const {mongoUrl}=readStack(dir);
 console.log(pid, readFileSync(`/proc/${pid}/cmdline`,'utf8').replaceAll('\0',' '));
 const c = await mongoose.createConnection(mongoUrl,{dbName:'x',writeConcern:{w:'majority',journal:true}}).asPromise();
 const MB=100, data=Array.from({length:10},()=>randomBytes(2<<20));
 for (const [name,opts] of [['default',{}],['none',{storageEngine:{wiredTiger:{configString:'block_compressor=none'}}}],['none-big',{storageEngine:{wiredTiger:{configString:'block_compressor=none,checksum=off,leaf_page_max=4MB,leaf_value_max=8MB,allocation_size=64KB'}}}],['nojournal',{nojournal:true}]] as [string,any][]) {
  const nj=opts.nojournal; const o=nj?{}:opts;
  try { await c.db!.createCollection(name,o);} catch(e){console.log(name,String(e)); continue;}
  const col=c.collection(name);
  let a=cpu(), t=performance.now();
  for (let i=0;i<MB/2;i+=2) await Promise.all([0,1].map(k=>col.insertOne({_id:(i+k) as never,data:data[(i+k)%10]}, nj?{writeConcern:{w:1,j:false}}:{})));
  let b=cpu(); console.log(name,'write ms/MB',((performance.now()-t)/MB).toFixed(1),'cpu u',((b.u-a.u)/MB).toFixed(1),'s',((b.s-a.s)/MB).toFixed(1));
  a=cpu(); t=performance.now();
  for (let i=0;i<MB/2;i+=2) await Promise.all([0,1].map(k=>col.findOne({_id:(i+k) as never},{promoteBuffers:true})));
  b=cpu(); console.log(name,'read ms/MB',((performance.now()-t)/MB).toFixed(1),'cpu u',((b.u-a.u)/MB).toFixed(1),'s',((b.s-a.s)/MB).toFixed(1));
 }
 await c.close();
} finally { sup.kill('SIGTERM'); await new Promise(r=>sup.once('exit',r)); rmSync(base,{recursive:true,force:true}); }
