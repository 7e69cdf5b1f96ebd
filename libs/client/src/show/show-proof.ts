import type { Identity, VerificationAndEvaluationDetails } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import { type Contents, parseJson, readProof } from '../proof/contents.ts';
import type { VerificationKey } from '../proof/keys.ts';
import type { ProofReport } from '../proof/report.ts';
import { inspectProof } from '../proof/verify-proof.ts';
import { proofPage } from './page.ts';
import type { ShownProof } from './shown-proof.ts';

const IMAGE = /^images\/[^/]+\.(jpg|png|webp)$/;
const LARGEST_IMAGE = 20 * 1024 * 1024;
/** What one page can hold: of the images beyond it only their ids are shown. */
const MOST_IMAGE_BYTES = 256 * 1024 * 1024;
const TYPES = table<string>({ jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' });

/** Which images to keep, of an archive that may be a stranger's and unpack to more than memory. */
const selectImages = (mostBytes: number) => {
  let selected = 0;
  return (path: string, bytes: number): boolean => {
    const isSelected = IMAGE.test(path) && bytes <= LARGEST_IMAGE && selected + bytes <= mostBytes;
    if (isSelected) selected += bytes;
    return isSelected;
  };
};

const imagesOf = ({ selected }: Contents): Map<string, string> =>
  new Map(
    [...selected].map(([path, bytes]) => {
      const [id = '', extension = ''] = path.slice('images/'.length).split('.');
      return [id, `data:${TYPES[extension]};base64,${bytes.toString('base64')}`];
    }),
  );

/**
 * Renders a proof to one HTML page that needs nothing else. A proof whose shapes are wrong is shown
 * as its reasons only.
 */
export const showProof = async (
  input: Buffer | string,
  keys: readonly VerificationKey[],
  mostImageBytes = MOST_IMAGE_BYTES,
): Promise<{ html: string; report: ProofReport }> => {
  const { report, contents } = await inspectProof(input, keys, { select: selectImages(mostImageBytes) });
  const shapesAreSound = !report.checks.some(({ name, outcome }) => name === 'schema' && outcome !== 'ok');
  if (!contents || !shapesAreSound) return { html: proofPage(report), report };
  const { json } = contents;
  const shown: ShownProof = {
    proof: readProof(json['proof.json']),
    identity: parseJson(json['identityDetails.json'], '') as Identity,
    elements: parseJson(json['verificationAndEvaluationDetails.json'], '') as VerificationAndEvaluationDetails[],
    images: imagesOf(contents),
  };
  return { html: proofPage(report, shown), report };
};
