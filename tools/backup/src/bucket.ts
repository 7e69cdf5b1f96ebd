import type { S3Client } from '@aws-sdk/client-s3';

type Sdk = typeof import('@aws-sdk/client-s3');

/** An object, or an upload that was begun and has not ended. */
export interface StoredObject {
  key: string;
  at: Date;
  uploadId?: string | undefined;
}

/** A bucket in which evidence-intake stores media. */
export interface Bucket {
  name: string;
  /** All that is in it, some at a time; unfinished uploads last. */
  list(): AsyncGenerator<StoredObject[]>;
  remove(one: StoredObject): Promise<void>;
  close(): void;
}

/** A time that a store does not say counts as now: what is young is left alone. */
const at = (said: Date | undefined): Date => said ?? new Date();

async function* unfinished(sdk: Sdk, client: S3Client, name: string): AsyncGenerator<StoredObject[]> {
  for (let behind = {}, isMore = true; isMore; ) {
    const page = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: name, ...behind }));
    const { Uploads = [], NextKeyMarker, NextUploadIdMarker } = page;
    yield Uploads.map(({ Key = '', UploadId, Initiated }) => ({ key: Key, at: at(Initiated), uploadId: UploadId }));
    behind = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker };
    isMore = page.IsTruncated === true;
  }
}

const open = (sdk: Sdk, client: S3Client, name: string): Bucket => ({
  name,
  async *list() {
    for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client }, { Bucket: name }))
      yield Contents.map(({ Key = '', LastModified }) => ({ key: Key, at: at(LastModified) }));
    yield* unfinished(sdk, client, name);
  },
  remove: async ({ key, uploadId }) => {
    const which = { Bucket: name, Key: key };
    if (uploadId === undefined) await client.send(new sdk.DeleteObjectCommand(which));
    else await client.send(new sdk.AbortMultipartUploadCommand({ ...which, UploadId: uploadId }));
  },
  close: () => client.destroy(),
});

/**
 * The bucket that the variables of evidence-intake name, if they name one.
 * @throws where one of the two halves of a key is missing
 */
export const bucketIn = async (environment: NodeJS.ProcessEnv): Promise<Bucket | undefined> => {
  const { MEDIA_BUCKET, MEDIA_REGION: region = 'us-east-1', MEDIA_ENDPOINT: endpoint } = environment;
  const { MEDIA_ACCESS_KEY: accessKeyId, MEDIA_SECRET_KEY: secretAccessKey } = environment;
  if (!MEDIA_BUCKET) return undefined;
  if (!accessKeyId !== !secretAccessKey)
    throw new Error('MEDIA_ACCESS_KEY and MEDIA_SECRET_KEY are given together or not at all');
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    ...{ region, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  });
  return open(sdk, client, MEDIA_BUCKET);
};
