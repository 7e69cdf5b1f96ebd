import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type ProofReport, readKeys, showProof } from '@assay/client';

/**
 * What is left of a demo: the files, and the commands that use them when no suite runs any more.
 */
export interface SavedProof {
  report: ProofReport;
  archive: string;
  keys: string;
  page: string;
  commands: { verify: string; show: string; verifyChip?: string };
}

/**
 * Saves a proof, the published keys that it verifies with, the authority of its chip, and the page
 * that shows it.
 */
export const saveProof = async (
  folder: string,
  identityId: string,
  { bytes, jwks, csca }: { bytes: Buffer; jwks: string; csca?: string },
): Promise<SavedProof> => {
  const [archive, keys, page, authority] = ['proof', 'jwks.json', 'html', 'csca.pem'].map((ending) =>
    join(folder, `${identityId}.${ending}`),
  );
  const { html, report } = await showProof(bytes, readKeys(jwks));
  const save = (file: string, content: Buffer | string): void => writeFileSync(file, content, { mode: 0o600 });
  save(archive!, bytes);
  save(keys!, jwks);
  save(page!, html);
  if (csca) save(authority!, csca);
  const here = (file: string): string => relative(process.cwd(), file);
  const command = (action: string): string =>
    `npx --no-install assay proof ${action} ${here(archive!)} --jwks ${here(keys!)}`;
  return {
    report,
    archive: here(archive!),
    keys: here(keys!),
    page: here(page!),
    commands: {
      verify: command('verify'),
      show: `${command('show')} -o ${here(page!)}`,
      ...(csca ? { verifyChip: `${command('verify')} --csca ${here(authority!)}` } : {}),
    },
  };
};
