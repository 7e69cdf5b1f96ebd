import { table } from '@assay/contracts/table';

const KEY =
  "give a key with --key or ASSAY_KEY, or start the suite of npm run up: an administrator's key; identity and link need one of a relying service";

/** What to do where nobody answers. */
export const START_ONE = 'next: start a suite with `npm run up`, or name the right address with --url or ASSAY_URL';

const BY_CODE = table<string>({
  '3001': 'record it first: assay identity consent IDENTITY TYPE',
  '4030': KEY,
  '4031': 'wait first: assay identity watch IDENTITY',
  '4040': 'check the name or id, and that the key is one of the tenant it belongs to',
  '4100': 'begin another one: assay identity create',
  '4290': 'wait a little, then repeat it',
  '5030': 'the suite is busy or a part of it is down: repeat it, then look at /health/ready of its services',
});
const BY_STATUS: Readonly<Record<number, string>> = { 401: KEY, 403: KEY };

const BY_FIELD = table<string>({
  returnUrl: 'allow its origin: assay tenants change TENANT \'{"allowedOrigins": ["https://shop.example"]}\'',
});

/** What to do about a refusal, where there is something; `prefix`: the one that the user named. */
export const nextStep = (
  status: number,
  error: { code: string; field?: string } | undefined,
  prefix?: string,
): string[] => {
  const { code = '', field = '' } = error ?? {};
  if (status === 404 && prefix)
    return [`next: check the prefix '${prefix}' (--prefix or ASSAY_PREFIX): without it the API is at svc; then the id`];
  const step = BY_CODE[code] ?? BY_FIELD[field] ?? BY_STATUS[status];
  return step === undefined ? [] : [`next: ${step}`];
};
