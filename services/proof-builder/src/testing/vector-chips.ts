import { createAuthority } from '@assay/chip/software';
import { signedContent } from '../domain/archive.ts';
import { CHALLENGE, filesOfChip, issueChip } from './chip-files.ts';
import { longestFlow } from './longest-flow.ts';
import { archiveOf, planOf, signWith } from './plan-of.ts';
import { pack, parts, type Vector, type VectorInput } from './vector-parts.ts';

/** The authority's certificate, for verifiers of chips. */
export const CSCA_FILE = 'csca.pem';

const SIZES = { imageBytes: 500 };

/**
 * Archives that the published key signed, with a chip that is good, or is not what the proof says.
 * Verifiers refuse them only if they are given the authority.
 */
export const chips = async (input: VectorInput): Promise<Vector[]> => {
  const { authority } = input;
  const sound = issueChip(authority);
  const files = filesOfChip(sound);
  const archive = (files: ReadonlyMap<string, Buffer>): Promise<Buffer> => {
    const flow = longestFlow('chip vector', { ...SIZES, chip: files });
    return archiveOf(flow, planOf(flow), input.privatePem);
  };
  const vector = async (file: string, why: string, files: ReadonlyMap<string, Buffer>): Promise<Vector> => ({
    file,
    verdict: 'refused',
    check: 'chip',
    csca: CSCA_FILE,
    why,
    bytes: await archive(files),
  });
  const without = (name: string) => new Map([...files].filter(([one]) => one !== name));
  const cloned = issueChip(authority, { fault: 'cloned' });
  return [
    {
      file: 'chip-good.zip',
      verdict: 'good',
      csca: CSCA_FILE,
      why: 'a chip whose signer, hashes and answer are right',
      bytes: await archive(files),
    },
    {
      file: 'chip-without-portrait.zip',
      verdict: 'good',
      csca: CSCA_FILE,
      why: 'data group 2 was dropped: nobody consented',
      bytes: await archive(without('dg2.bin')),
    },
    await vector(
      'chip-altered.zip',
      'data group 1 says another name than the issuer signed',
      filesOfChip(issueChip(authority, { fault: 'dg-altered' })),
    ),
    await vector(
      'chip-wrong-signer.zip',
      'the security object is signed with another key than its certificate has',
      filesOfChip(issueChip(authority, { fault: 'wrong-signer' })),
    ),
    await vector(
      'chip-unknown-authority.zip',
      'an authority that nobody gave',
      filesOfChip(issueChip(createAuthority({ name: 'Unknown Authority' }))),
    ),
    await vector(
      'chip-expired-signer.zip',
      'the signer had expired when it signed',
      filesOfChip(issueChip(authority, { fault: 'expired-signer' })),
    ),
    await vector('chip-cloned.zip', 'the answer was made with another key than the chip has', filesOfChip(cloned)),
    await vector(
      'chip-replayed.zip',
      'the answer is to another challenge',
      filesOfChip(sound, sound.answerChallenge(Buffer.from(CHALLENGE).reverse())),
    ),
    await vector(
      'chip-no-answer.zip',
      'the proof tells of an answer that is not there',
      without('active-authentication.bin'),
    ),
    await vector('chip-no-security-object.zip', 'the security object is missing', without('sod.bin')),
    await elsewhere(input, files),
  ];
};

/** The files of a chip in the folder of an evidence that is no chip. */
const elsewhere = async (input: VectorInput, chip: ReadonlyMap<string, Buffer>): Promise<Vector> => {
  const flow = longestFlow('chip vector', { ...SIZES, chip });
  const { plan, entriesOf } = parts({ ...input, flow });
  const other = flow.request.evidenceIds[0]!;
  const moved = (path: string): string => path.replace(/^chip\/[^/]+\//, `chip/${other}/`);
  const additionalFiles = plan.proof.hashes.additionalFiles!.map((file) => ({ ...file, path: moved(file.path) }));
  const next = {
    ...plan,
    proof: { ...plan.proof, hashes: { ...plan.proof.hashes, additionalFiles } },
    media: plan.media.map((medium) => ({ ...medium, path: moved(medium.path) })),
  };
  return {
    file: 'chip-elsewhere.zip',
    verdict: 'refused',
    check: 'consistency',
    why: 'the files of a chip stand in the folder of an evidence that was no chip',
    bytes: await pack(entriesOf(next, signWith(input.privatePem, signedContent(next.proof)))),
  };
};
