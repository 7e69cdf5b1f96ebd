import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { motoServer, waitFor } from '@assay/testing';
import { CreateBucketCommand, CreateMultipartUploadCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { type Bucket, bucketIn } from './bucket.ts';

/* Runs on moto, an S3-compatible server in a process of its own. */

const moto = motoServer();

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const keysIn = async (bucket: Bucket): Promise<string[]> => {
  const keys: string[] = [];
  for await (const page of bucket.list()) keys.push(...page.map(({ key }) => key));
  return keys;
};

(moto ? test : test.skip)(
  'all objects and unfinished uploads of a bucket are listed, and each can be removed',
  async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const server = spawn(moto!.command, [...moto!.args, '-H', '127.0.0.1', '-p', new URL(endpoint).port], {
      stdio: 'ignore',
      env: moto!.env,
    });
    const answers = () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      );
    await waitFor('moto', answers, 60_000);
    const credentials = { accessKeyId: 'someone', secretAccessKey: 'a secret of someone' };
    const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
    const Bucket = 'media';
    await client.send(new CreateBucketCommand({ Bucket }));
    const names = ['object-1', 'object-2', 'object-3'];
    for (const Key of names) await client.send(new PutObjectCommand({ Bucket, Key, Body: 'sealed' }));
    for (const Key of ['upload-1', 'upload-2']) await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const bucket = (await bucketIn({
      ...{ MEDIA_BUCKET: Bucket, MEDIA_ENDPOINT: endpoint },
      ...{ MEDIA_ACCESS_KEY: credentials.accessKeyId, MEDIA_SECRET_KEY: credentials.secretAccessKey },
    }))!;
    expect(await keysIn(bucket)).toEqual([...names, 'upload-1', 'upload-2']);
    for await (const page of bucket.list())
      for (const one of page.filter(({ key }) => ['object-1', 'upload-1'].includes(key))) {
        // moto says of every upload that it began in 2010.
        if (!one.uploadId) expect(Math.abs(Date.now() - one.at.getTime())).toBeLessThan(60_000);
        await bucket.remove(one);
      }
    expect(await keysIn(bucket)).toEqual([...names.slice(1), 'upload-2']);
    bucket.close();
    client.destroy();
    server.kill('SIGKILL');
  },
  90_000,
);

test('no bucket is looked at where none is named, and none with half a key', async () => {
  expect(await bucketIn({})).toBeUndefined();
  await expect(bucketIn({ MEDIA_BUCKET: 'media', MEDIA_ACCESS_KEY: 'half' })).rejects.toThrow('given together');
});
