import type { EventBuilder, Medium } from './event-builder.ts';
import { bytesOf, good, participant } from './flow-parts.ts';

const RAISED = [
  'PASSIVE_AUTHENTICATION_CHECK_OK',
  'PASOD_SIGNATURE_CHECK_OK',
  'PASSIVE_AUTHENTICATION_HASH_CHECK_OK',
  'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK_OK',
  'ACTIVE_AUTHENTICATION_CHECK_OK',
  'DATA_GROUP1_CHECK_OK',
];

const TYPES: Readonly<Record<string, string>> = { json: 'application/json', bin: 'application/octet-stream' };

/**
 * A passport read from its chip: `files` by name, as evidence-intake stores them. Its evaluation is
 * good, whatever the files contain.
 */
export const chipDocument = (flow: EventBuilder, files: ReadonlyMap<string, Buffer>) => {
  const stored = [...files].map(
    ([name, content]): Medium => ({
      ...flow.medium(`chip ${name}`, 'CHIP', TYPES[name.split('.').at(-1)!]!, content),
      name,
    }),
  );
  const portrait = stored.find(({ name }) => name === 'dg2.bin');
  const crops = portrait ? [flow.medium('chip portrait', 'CROP', 'image/jpeg', bytesOf('chip', 900), portrait)] : [];
  const id = flow.submitted('chip', 'PASSPORT', 'EVIDENCE_NFC_VERIFICATION', {}, stored, {
    sessionId: flow.idOf('chip session'),
  });
  flow.operation('EVIDENCE_NFC_VERIFICATION', 'ADD', [id], '/svc/v1/identities/x/id-documents/nfc-session');
  flow.operation('EVIDENCE_NFC_VERIFICATION', 'ADD', [id], '/svc/v1/nfc-sessions/s/chip-authentication');
  flow.operation('EVIDENCE_NFC_VERIFICATION', 'ADD', [id], '/svc/v1/nfc-sessions/s/data');
  const evaluation = flow.evaluated(id, {
    type: 'PASSPORT',
    scoring: good('LEVEL4', RAISED),
    loa: 'LOA2',
    proof: {
      verificationDetails: [participant(flow, id, 'NFC_CHIP_VERIFICATION', RAISED)],
      crops: crops.map(({ mediaId }) => ({ mediaId, originalMediaId: portrait!.mediaId })),
    },
  });
  return { id, media: [...stored, ...crops], evaluation };
};
