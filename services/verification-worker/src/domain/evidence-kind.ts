import type { EvidenceType } from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';

/** The kind of an evidence, by the operation that submitted it. */
export const kindOf = ({ operation, type }: { operation: string; type: EvidenceType }): EvidenceKind | undefined => {
  if (type === 'MEDICARE') return 'healthCard';
  if (type === 'PORTRAIT') return 'portrait';
  if (type === 'PORTRAIT_REFERENCE') return 'portraitReference';
  if (type === 'ATTRIBUTES') return 'attributes';
  if (type === 'ADDRESS') return 'address';
  if (type === 'ADDITIONAL_FILE') return undefined;
  if (operation === 'EVIDENCE_NFC_VERIFICATION') return 'documentChip';
  return operation === 'ID_DOCUMENT' ? 'documentText' : 'documentImage';
};
