import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import { answerToChallenge, answerToCommand, filesOfChip } from '../suite/chips.ts';
import type { ClientCall } from './call.ts';
import { createIdentity, deleteEvidence, deleteIdentity, mineOf, pathOf, retrieve } from './identity-calls.ts';
import { pictureWith } from './picture.ts';
import type { Travelling } from './travelling.ts';

const READINGS = [
  ...(['active', 'chip', 'chip', 'both', 'both', 'again'] as const),
  ...(['files', 'clone', 'replayed', 'former', 'altered', 'gaveUp', 'left'] as const),
];

/** How a chip is read: with which answers, or how an answer or a file is wrong. */
type Reading = (typeof READINGS)[number];

/** The work of a client that reads chips. */
export interface ChipReader {
  afterMs: number;
  chips: Reading[];
  /** Whether the portrait may be stored. */
  hasPortrait: boolean;
  /** Whether it deletes the first chip afterwards. */
  forgets: boolean;
  end: 'open' | 'proof' | 'deleted';
}

export const chipReaderOf = (random: Random): ChipReader => ({
  afterMs: random.next() * 10_000,
  chips: Array.from({ length: random.between(1, 3) }, () => random.pick(READINGS)),
  hasPortrait: random.next() < 0.5,
  forgets: random.next() < 0.3,
  end: random.pick(['open', 'open', 'proof', 'deleted'] as const),
});

/** The session timed out while faults lasted. */
const TIMED_OUT = [409];
const DOES_CHIP: readonly Reading[] = ['chip', 'both', 'again', 'former'];
const DOES_ACTIVE: readonly Reading[] = ['active', 'both', 'clone', 'replayed'];
const WRONG: readonly Reading[] = ['clone', 'replayed', 'former', 'altered'];
const JPEG_END = Buffer.from('ffd9', 'hex');

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

interface Session {
  at: string;
  call: ClientCall;
  random: Random;
  reading: Reading;
  challenge: string;
}

/** Has the server begin chip authentication, and asks the chip; undefined if it was refused. */
const answered = async ({ at, call }: Session, dataGroup14: string): Promise<string | undefined> => {
  const begun = await call('POST', `${at}/chip-authentication`, { json: { dataGroup14 } }, TIMED_OUT);
  if (!begun) return undefined;
  const { terminalPublicKey, command } = begun.body;
  return base64(
    answerToCommand({
      terminalPublicKey: Buffer.from(terminalPublicKey, 'base64'),
      command: Buffer.from(command, 'base64'),
    }),
  );
};

/** The answers of the chip, some of them wrong. */
const answersOf = async (session: Session, dataGroup14: string) => {
  const { reading, challenge, random } = session;
  const first = DOES_CHIP.includes(reading) ? await answered(session, dataGroup14) : undefined;
  await pause(random.between(1, 3000));
  const isTwice = reading === 'again' || reading === 'former';
  const second = isTwice ? await answered(session, dataGroup14) : first;
  const response = reading === 'former' ? first : second;
  const asked = reading === 'clone' ? Buffer.from('of another chip') : Buffer.from(challenge, 'base64');
  return {
    ...(DOES_ACTIVE.includes(reading) ? { activeAuthenticationResponse: base64(answerToChallenge(asked)) } : {}),
    ...(response === undefined ? {} : { chipAuthentication: { response } }),
  };
};

/** Brings what the reader read of the chip; whether it was accepted, and with which answers. */
const bring = async (session: Session, portrait: Buffer) => {
  const { at, call, reading } = session;
  const { dataGroups, documentSecurityObject } = filesOfChip(portrait);
  const sent = Object.entries(dataGroups).map(([number, bytes]) => [number, base64(bytes)] as const);
  const altered = reading === 'altered' ? { '15': base64(Buffer.from('another key')) } : {};
  const answers = await answersOf(session, base64(dataGroups['14']));
  const json =
    reading === 'gaveUp'
      ? { errors: [{ code: 'LOST' }] }
      : {
          documentSecurityObject: base64(documentSecurityObject),
          dataGroups: { ...Object.fromEntries(sent), ...altered },
          ...answers,
        };
  const accepted = await call('POST', `${at}/data`, { json }, TIMED_OUT);
  return { isAccepted: accepted !== undefined, answers };
};

/** Reads a chip, and records what must become of it. `former`: the challenge before. */
const readChip = async (
  travelling: Travelling,
  identityId: string,
  { reading, former }: { reading: Reading; former: string | undefined },
): Promise<string | undefined> => {
  const { call, ledger, random } = travelling;
  const body = { json: { idDocumentType: 'PASSPORT' } };
  const begun = await call('POST', `${pathOf(identityId)}/id-documents/nfc-session`, body, TIMED_OUT);
  if (!begun) return former;
  const { id: evidenceId, sessionId, activeAuthenticationChallenge: own } = begun.body;
  const chip = { wanted: 'NOT_VERIFIED', isActive: false, isChip: false };
  ledger.accepted.push({ identityId, evidenceId });
  ledger.chips.set(evidenceId, chip);
  if (reading === 'left') return own;
  const isReplayed = reading === 'replayed' && former !== undefined;
  const portrait = Buffer.concat([pictureWith(random, { face: identityId }), JPEG_END]);
  // Noted before: it may be shown before it is answered.
  const isRight = !WRONG.includes(reading) || (reading === 'replayed' && !isReplayed);
  chip.isActive = isRight && DOES_ACTIVE.includes(reading);
  chip.isChip = isRight && DOES_CHIP.includes(reading);
  const session = {
    ...{ at: `/svc/v1/nfc-sessions/${sessionId}`, call, random, reading },
    challenge: isReplayed ? former : own,
  };
  const { isAccepted, answers } = await bring(session, portrait);
  if (!answers.chipAuthentication) chip.isChip = false;
  if (!isAccepted) Object.assign(chip, { isActive: false, isChip: false });
  else if (reading !== 'gaveUp') {
    const isWrong = !isRight && (reading !== 'former' || answers.chipAuthentication !== undefined);
    chip.wanted = isWrong ? 'INVALID' : 'VERIFIED';
  }
  return own;
};

/** Reads chips of one person in sessions, some of which it leaves. */
export const travelWithChips = async (travelling: Travelling, work: ChipReader): Promise<void> => {
  const { call, ledger } = travelling;
  const identityId = await createIdentity(travelling);
  if (identityId === undefined) return;
  if (work.hasPortrait)
    await call('POST', `${pathOf(identityId)}/consents`, { json: [{ approved: true, type: 'PORTRAIT' }] });
  else ledger.withoutPortrait.add(identityId);
  let former: string | undefined;
  for (const reading of work.chips) former = await readChip(travelling, identityId, { reading, former });
  const [first] = mineOf(travelling, identityId);
  if (work.forgets && first) await deleteEvidence(travelling, identityId, first.evidenceId);
  if (work.end === 'proof') await retrieve(travelling, identityId);
  if (work.end === 'deleted') await deleteIdentity(travelling, identityId);
};
