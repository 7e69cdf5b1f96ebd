import { type ChipIndicatorName, type ChipVerification, type TrustStore, verifyChip } from '@assay/chip';
import { parseDateTime, present, type VerificationAndEvaluationDetails } from '@assay/contracts';
import type { ProofFiles } from '../proof/consistency.ts';
import { chipFileOf } from '../proof/contents.ts';
import type { ChipReport, Reason } from '../proof/report.ts';

type Element = VerificationAndEvaluationDetails;

/** What anybody can make again from the files alone. */
const CHECKED = [
  'PASSIVE_AUTHENTICATION_CHECK',
  'PASOD_SIGNATURE_CHECK',
  'PASSIVE_AUTHENTICATION_HASH_CHECK',
  'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK',
  'ACTIVE_AUTHENTICATION_CHECK',
  'DATA_GROUP1_CHECK',
] as const satisfies readonly ChipIndicatorName[];

const BASE = 'chip/';
const LARGEST_FILE = 512 * 1024;
const LARGEST_SUM = 64 * 1024 * 1024;

/**
 * Which files to keep of an archive whose chips are verified: those of chips, as far as a reader
 * could have sent them.
 */
export const selectChipFiles = (): ((path: string, bytes: number) => boolean) => {
  let sum = 0;
  return (path, bytes) => {
    if (!path.startsWith(BASE) || bytes > LARGEST_FILE || sum + bytes > LARGEST_SUM) return false;
    sum += bytes;
    return true;
  };
};

const filesOf = (contents: ReadonlyMap<string, Buffer>, evidenceId: string): Map<string, Buffer> =>
  new Map(
    [...contents].flatMap(([path, bytes]) => {
      const file = chipFileOf(path);
      return file?.evidenceId === evidenceId ? [[file.name, bytes] as const] : [];
    }),
  );

const NUMBERED = /^dg(\d{1,2})\.bin$/;

const verificationOf = (files: ReadonlyMap<string, Buffer>, trust: TrustStore, now: Date): ChipVerification => {
  const challenge = files.get('challenge.bin');
  const activeAuthenticationResponse = files.get('active-authentication.bin');
  return verifyChip({
    files: { documentSecurityObject: files.get('sod.bin') ?? Buffer.alloc(0) },
    dataGroups: Object.fromEntries(
      [...files].flatMap(([name, bytes]) => {
        const [, number] = NUMBERED.exec(name) ?? [];
        return number === undefined ? [] : [[number, bytes]];
      }),
    ),
    ...present({ challenge, activeAuthenticationResponse }),
    trust,
    now,
  });
};

const checksIn = ({ verificationDetails }: Element) =>
  (verificationDetails ?? []).filter(({ participantType }) => participantType === 'NFC_CHIP_VERIFICATION');

const raisedIn = (element: Element): string[] =>
  checksIn(element).flatMap(({ raisedIndicators }) => raisedIndicators ?? []);

/**
 * When the service verified the chip. Later its signer may have expired, which is no fault of a
 * chip that states no time of signing.
 */
const verifiedAt = (element: Element, proof: ProofFiles['proof']): Date =>
  parseDateTime(checksIn(element).at(-1)?.endDateTime ?? proof.endDateTime);

const stateIn = (raised: readonly string[], name: string): string | undefined =>
  raised.find((one) => one.startsWith(`${name}_`) && !one.slice(name.length + 1).includes('_'))?.slice(name.length + 1);

const reportOf = (element: Element, files: ReadonlyMap<string, Buffer>, trust: TrustStore, now: Date): ChipReport => {
  const verification = verificationOf(files, trust, now);
  const raised = raisedIn(element);
  const { signer, authority } = verification;
  return {
    evidenceId: element.participantContextId,
    checks: CHECKED.map((name) => {
      const state = verification.indicators.find((indicator) => indicator.name === name)!.state;
      const inProof = stateIn(raised, name);
      return { name, state, ...present({ inProof }) };
    }),
    notMade: files.has('chip-authentication-response.bin')
      ? [{ name: 'CHIP_AUTHENTICATION_CHECK', reason: 'it convinces only who held the key: the server' }]
      : [],
    errors: verification.errors.map(({ file, reason }) => `${file}: ${reason}`),
    ...(signer ? { signer: signer.subject, signedAt: signer.signedAt } : {}),
    ...(authority ? { authority: authority.subject, authoritySource: authority.source } : {}),
  };
};

/**
 * What the proof says was right has to be right again. What it says was not, it may know from
 * elsewhere: a revocation list, an image.
 */
const contradictions = ({ evidenceId, checks }: ChipReport): Reason[] =>
  checks
    .filter(({ state, inProof }) => inProof === 'OK' && state !== 'OK')
    .map(({ name, state }) => ({
      check: 'chip',
      reason: `${name} is OK in the proof, and ${state} by the files and the authorities given`,
      where: `${BASE}${evidenceId}/`,
    }));

const isRead = ({ identityOperation: { name, type } }: Element): boolean =>
  name === 'EVIDENCE_NFC_VERIFICATION' && type === 'ADD';

/**
 * Verifies every attached chip of a proof again, from its files alone and against the authorities
 * given, as of the time when the service did: passive and active authentication. Chip
 * authentication cannot be made again, and is reported as not made.
 */
export const verifyChips = (
  { proof, elements }: ProofFiles,
  files: ReadonlyMap<string, Buffer>,
  trust: TrustStore,
): { chips: ChipReport[]; reasons: Reason[] } => {
  const deleted = new Set(
    elements
      .filter(({ identityOperation }) => identityOperation.type === 'DELETE')
      .map(({ participantContextId }) => participantContextId),
  );
  const attached = elements.filter(
    (element) => isRead(element) && !deleted.has(element.participantContextId) && raisedIn(element).length > 0,
  );
  const chips = attached.map((element) =>
    reportOf(element, filesOf(files, element.participantContextId), trust, verifiedAt(element, proof)),
  );
  return { chips, reasons: chips.flatMap(contradictions) };
};
