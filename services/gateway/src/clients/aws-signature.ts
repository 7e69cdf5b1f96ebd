import { createHash, createHmac } from 'node:crypto';

/** By what a caller shows AWS who it is. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

interface ToSign {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  region: string;
  service: string;
  credentials: AwsCredentials;
  now: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Signs a POST to the root of a service of AWS (Signature Version 4): gives its headers with date,
 * token and signature.
 */
export const signedHeaders = ({ url, headers, body, region, service, credentials, now }: ToSign) => {
  const { host, pathname } = new URL(url);
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const sent: Record<string, string> = {
    ...headers,
    host,
    'x-amz-date': time,
    ...(credentials.sessionToken ? { 'x-amz-security-token': credentials.sessionToken } : {}),
  };
  const names = Object.keys(sent).sort();
  const canonicalHeaders = names.map((name) => `${name}:${sent[name]?.trim()}\n`).join('');
  const canonical = ['POST', pathname, '', canonicalHeaders, names.join(';'), sha256(body)].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
  const parts = [date, region, service, 'aws4_request'];
  const key = parts.reduce<Buffer | string>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const { host: _, ...rest } = sent;
  return {
    ...rest,
    authorization: `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
};
