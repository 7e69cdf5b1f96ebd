import { expect, test } from '@jest/globals';
import { signedHeaders } from './aws-signature.ts';

// The case "post-vanilla" from the test suite that AWS publishes for Signature Version 4.
const vanilla = {
  url: 'https://example.amazonaws.com/',
  headers: {},
  body: '',
  region: 'us-east-1',
  service: 'service',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  now: new Date('2015-08-30T12:36:00.123Z'),
};

test('a POST has the signature that AWS publishes', () => {
  expect(signedHeaders(vanilla)).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  });
});

test('everything that is sent is signed: another body, header, token, host or time has another signature', () => {
  const signatureOf = (more: Partial<typeof vanilla> & { credentials?: object }) =>
    signedHeaders({ ...vanilla, ...more }).authorization;
  const signatures = [
    signatureOf({}),
    signatureOf({ body: '{}' }),
    signatureOf({ headers: { 'x-amz-target': 'TrentService.Decrypt' } }),
    signatureOf({ headers: { 'x-amz-target': 'TrentService.Encrypt' } }),
    signatureOf({ url: 'https://example.amazonaws.com:8443/' }),
    signatureOf({ now: new Date('2015-08-30T12:36:01Z') }),
    signatureOf({ credentials: { ...vanilla.credentials, sessionToken: 'a' } as never }),
    signatureOf({ credentials: { ...vanilla.credentials, sessionToken: 'b' } as never }),
  ];
  expect(new Set(signatures).size).toBe(signatures.length);
  const withToken = signedHeaders({ ...vanilla, credentials: { ...vanilla.credentials, sessionToken: 'a' } });
  expect(withToken).toMatchObject({ 'x-amz-security-token': 'a' });
  expect(withToken.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,');
  expect(withToken).not.toHaveProperty('host');
});
