/**
 * npm run dev [-- --replicas N] [--workers N] [--port P] [--run-dir DIR]
 *
 * The suite of `npm run up`, with its options, watched: a change of the sources rebuilds what it
 * touches and restarts just those processes. Ctrl-C ends it all, unless the suite ran before.
 */
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { answerHelp } from './arguments.mjs';
import { build, root } from './build.mjs';
import { endRun, makeRunDir, readOptions, readStack, startSupervisor, supervisorOf } from './run-dir.mjs';
import { setup } from './setup.mjs';

const quietMs = 100;

/**
 * The process a built program runs in: `services/gateway/main` in `gateway`, the engine's host in
 * its worker.
 */
const processOf = (name) => {
  const [area, folder, file] = name.split('/');
  // The pages are read from the disk at each request.
  if (area === 'pages') return undefined;
  if (area === 'services') return folder;
  return area === 'tools' ? file.replace(/\.main$/, '') : undefined;
};

const restart = (dir, built) => {
  const wanted = new Set(built.map(processOf).filter(Boolean));
  const { processes } = readStack(dir) ?? { processes: {} };
  for (const [label, pid] of Object.entries(processes)) {
    if (!wanted.has(label.replace(/-\d+$/, ''))) continue;
    console.log(`restarting ${label}`);
    process.kill(pid, 'SIGTERM');
  }
};

const rebuild = async (dir) => {
  try {
    const built = await build();
    if (built.length > 0) restart(dir, built);
  } catch (error) {
    console.error(error.message);
  }
};

const watchSources = (onChange) => {
  let timer;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, quietMs);
  };
  const packages = ['libs', 'services', 'tools'].flatMap((area) =>
    readdirSync(join(root, area)).map((name) => join(root, area, name)),
  );
  for (const sources of [...packages, join(root, 'pages')].map((folder) => join(folder, 'src')))
    if (existsSync(sources)) watch(sources, { recursive: true }, changed);
};

const dev = async () => {
  const options = readOptions(process.argv.slice(2));
  const dir = makeRunDir(options.dir);
  await setup();
  const ranBefore = supervisorOf(dir) !== undefined;
  const say = (line) => console.log(line);
  if (!ranBefore) (await startSupervisor({ ...options, dir }, say))?.unref();
  console.log(`${readStack(dir)?.baseUrl} (logs: ${join(dir, 'logs')}); watching for changes`);
  let building = Promise.resolve();
  watchSources(() => {
    building = building.then(() => rebuild(dir));
  });
  const end = async () => {
    if (!ranBefore) await endRun(dir);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
};

answerHelp(import.meta.filename);
try {
  await dev();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
