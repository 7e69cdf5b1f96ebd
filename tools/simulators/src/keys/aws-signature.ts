import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  headers: IncomingHttpHeaders;
  path: string;
  body: Buffer;
}

const hash = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const mac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
const SKEW_MS = 300_000;

/**
 * Why AWS would not take a request, by the name of its exception; undefined where its signature
 * (version 4) is good.
 */
export const refusalOf = (
  { headers, path, body }: SignedRequest,
  secrets: ReadonlyMap<string, string>,
  now: Date,
): string | undefined => {
  const [, accessKey = '', date = '', region = '', signed = '', signature = ''] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (!signature) return 'MissingAuthenticationTokenException';
  const secret = secrets.get(accessKey);
  if (!secret) return 'UnrecognizedClientException';
  const time = String(headers['x-amz-date']);
  const at = new Date(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(at.getTime() - now.getTime()) < SKEW_MS) || !time.startsWith(date)) return 'InvalidSignatureException';
  const names = signed.split(';');
  if (!['host', 'x-amz-date', 'x-amz-target'].every((name) => names.includes(name))) return 'InvalidSignatureException';
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}`,
  );
  const canonical = `POST\n${path}\n\n${lines.join('\n')}\n\n${signed}\n${hash(body)}`;
  const scope = `${date}/${region}/kms/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`;
  const key = mac(mac(mac(mac(`AWS4${secret}`, date), region), 'kms'), 'aws4_request');
  return timingSafeEqual(mac(key, text), Buffer.from(signature, 'hex')) ? undefined : 'InvalidSignatureException';
};
