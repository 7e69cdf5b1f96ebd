import type { Consent } from '@assay/contracts';

interface ArchivedEvidence {
  evidenceId: string;
  evidenceStatus: { status: string };
}

interface ArchivedIdentity {
  consents?: Consent[];
  idDocuments?: ArchivedEvidence[];
  portrait?: ArchivedEvidence;
}

const FILE = 'identityDetails.json';
/** Each header of an archive begins so. */
const HEADER = 'PK\u0003\u0004';

/** What the proof says of the identity. Files of an archive are not compressed. */
export const archivedIdentity = (archive: Buffer): ArchivedIdentity => {
  const begin = archive.indexOf('{', archive.indexOf(FILE));
  return JSON.parse(archive.subarray(begin, archive.indexOf(HEADER, begin)).toString());
};
