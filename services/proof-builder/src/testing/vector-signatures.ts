import { createHmac, createPublicKey, sign } from 'node:crypto';
import { present, type VerificationAndEvaluationDetails } from '@assay/contracts';
import { signedContent } from '../domain/archive.ts';
import { signWith } from './plan-of.ts';
import { jws, pack, parts, sha256, type Vector, type VectorInput } from './vector-parts.ts';

/** Archives whose signature does not verify. */
export const unsigned = async (input: VectorInput): Promise<Vector[]> => {
  const { plan, entriesOf, signature } = parts(input);
  const content = signedContent(plan.proof);
  const [, , last = ''] = signature.split('.');
  const withSignature = async (file: string, why: string, replacement: string): Promise<Vector> => ({
    file,
    verdict: 'refused',
    check: 'signature',
    why,
    bytes: await pack(entriesOf(plan, replacement), true),
  });
  const hs256 = jws({ alg: 'HS256' }, content, '').slice(0, -1);
  const mac = createHmac('sha256', input.publicPem).update(hs256).digest('base64url');
  const jwk = createPublicKey(input.strangerPem).export({ format: 'jwk' });
  const signed = (header: object): string => {
    const unsignedPart = jws(header, content, '').slice(0, -1);
    return `${unsignedPart}.${signRaw(input.privatePem, unsignedPart)}`;
  };
  const signRaw = (pem: string, text: string): string => sign('sha256', Buffer.from(text), pem).toString('base64url');
  const edited = { ...plan.proof, tenantUsed: 'strict 1' };
  return [
    await withSignature('alg-none.zip', 'alg none and no signature', jws({ alg: 'none' }, content, '')),
    await withSignature('hs256-with-public-key.zip', 'an HMAC made with the public key', `${hs256}.${mac}`),
    await withSignature(
      'unknown-crit.zip',
      'a critical header that nobody knows',
      signed({ alg: 'RS256', crit: ['exp'], exp: 1 }),
    ),
    await withSignature('embedded-jwk.zip', 'a key brought along in the header', signed({ alg: 'RS256', jwk })),
    await withSignature('more-header.zip', 'a header of more than the algorithm', signed({ alg: 'RS256', typ: 'JWT' })),
    await withSignature(
      'unpublished-key.zip',
      'signed with a key that is not published',
      signWith(input.strangerPem, content),
    ),
    await withSignature(
      'other-payload.zip',
      'a good signature over something else',
      signWith(input.privatePem, '{"version":"1.0"}'),
    ),
    await withSignature(
      'signature-respelled.zip',
      'the last character replaced by another spelling of the same bits',
      respelled(signature),
    ),
    await withSignature('signature-cut.zip', 'the signature is cut short', signature.slice(0, -last.length / 2)),
    {
      file: 'proof-edited.zip',
      verdict: 'refused',
      check: 'signature',
      why: 'proof.json changed after it was signed',
      bytes: await pack(entriesOf({ ...plan, proof: edited }, signature), true),
    },
  ];
};

/**
 * Another base64url spelling of the same bytes: some bits of the last character have no meaning.
 */
const respelled = (signature: string): string => {
  const bytes = Buffer.from(signature.split('.')[2]!, 'base64url');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = [...alphabet].find(
    (letter) =>
      letter !== signature.at(-1) &&
      Buffer.from(signature.split('.')[2]!.slice(0, -1) + letter, 'base64url').equals(bytes),
  );
  return signature.slice(0, -1) + other;
};

type Edit = (elements: VerificationAndEvaluationDetails[], identity: { consents: unknown[] }) => unknown;

/** Archives that the right key signed, but whose files contradict each other. */
export const contradictory = async (input: VectorInput): Promise<Vector[]> => {
  const { plan, entriesOf } = parts(input);
  const resigned = async (file: string, check: Vector['check'], why: string, edit: Edit): Promise<Vector> => {
    const elements = JSON.parse(plan.verificationAndEvaluationDetails.toString()) as VerificationAndEvaluationDetails[];
    const identity = JSON.parse(plan.identityDetails.toString()) as { consents: unknown[] };
    edit(elements, identity);
    const [identityDetails, verificationAndEvaluationDetails] = [identity, elements].map((value) =>
      Buffer.from(JSON.stringify(value, null, 2)),
    ) as [Buffer, Buffer];
    const hashes = {
      ...plan.proof.hashes,
      identityDetails: sha256(identityDetails),
      verificationAndEvaluationDetails: sha256(verificationAndEvaluationDetails),
    };
    const next = { ...plan, identityDetails, verificationAndEvaluationDetails, proof: { ...plan.proof, hashes } };
    const signature = signWith(input.privatePem, signedContent(next.proof));
    return {
      file,
      verdict: 'refused',
      ...present({ check }),
      why,
      bytes: await pack(entriesOf(next, signature), true),
    };
  };
  const evidence = (elements: VerificationAndEvaluationDetails[], type: string) =>
    elements.find(({ evidenceDetails }) => evidenceDetails?.type === type)!;
  return [
    await resigned(
      'status-differs.zip',
      'consistency',
      'an evidence INVALID in one file and VERIFIED in the other',
      (elements) => {
        evidence(elements, 'PASSPORT').evaluationDetails!.evidences[0]!.statusAndScoring!.status = 'INVALID';
      },
    ),
    await resigned('element-missing.zip', 'consistency', 'an evidence without its element', (elements) =>
      elements.splice(elements.indexOf(evidence(elements, 'PASSPORT')), 1),
    ),
    await resigned('element-twice.zip', 'consistency', 'the same element twice', (elements) =>
      elements.push(evidence(elements, 'PASSPORT')),
    ),
    await resigned('image-not-named.zip', 'consistency', 'an image that no element names', (elements) => {
      delete evidence(elements, 'PASSPORT').evidenceDetails!.photoCrops;
    }),
    await resigned(
      'unknown-reference.zip',
      'consistency',
      'a reference to an element that is not there',
      (elements) => {
        evidence(elements, 'PORTRAIT').identityOperationParent = 'nobody-ever-heard-of-this';
      },
    ),
    await resigned('unknown-member.zip', 'schema', 'a member that the format does not have', (elements) => {
      Object.assign(elements[0]!, { trusted: true });
    }),
    await resigned('status-unknown.zip', 'schema', 'a status that does not exist', (elements) => {
      Object.assign(evidence(elements, 'PASSPORT').evaluationDetails!.evidences[0]!.statusAndScoring!, {
        status: 'FINE',
      });
    }),
  ];
};
