import { activeAuthenticationIsRight } from '../active/active-authentication.ts';
import { checkChipAnswer, startedWith } from '../chip-authentication/chip-authentication.ts';
import { attempt } from '../errors.ts';
import { readDataGroup15 } from '../lds/active-authentication-key.ts';
import { readDataGroup14 } from '../lds/security-infos.ts';
import type { DataGroupState } from '../passive/passive-authentication.ts';
import type { CheckState } from '../passive/states.ts';
import type { ChipEvidence } from './evidence.ts';

/** What the check of the chip's answers needs. */
export interface PossessionQuestion {
  readonly evidence: ChipEvidence;
  readonly dataGroups: ReadonlyMap<number, Uint8Array>;
  readonly states: ReadonlyMap<number, DataGroupState>;
  /** The data groups that the LDS object lists, sent or not. */
  readonly listed: ReadonlySet<number>;
  /** Whether the signature over the LDS object is wrong: then its hashes prove nothing. */
  readonly forged: boolean;
}

/**
 * The state of a check that needs the key in a data group or, if the check can be made, that data
 * group.
 */
const keyGroup = (
  { dataGroups, states, listed, forged }: PossessionQuestion,
  number: number,
): { state: CheckState } | { file: Uint8Array } => {
  const file = dataGroups.get(number);
  if (file === undefined) return { state: listed.has(number) ? 'WARNING' : 'UNVERIFIED' };
  if (states.get(number) !== 'OK') return { state: 'FAILED' };
  return forged ? { state: 'UNVERIFIED' } : { file };
};

/**
 * The state if no answer was sent. It is a warning if the chip could have been asked, since a clone
 * has every reason not to answer.
 */
const unanswered = ({ listed }: PossessionQuestion, number: number): CheckState =>
  listed.has(number) ? 'WARNING' : 'UNVERIFIED';

const namedDigest = (question: PossessionQuestion) => {
  const group = keyGroup(question, 14);
  const digest =
    'file' in group ? attempt(() => readDataGroup14(group.file)).value?.activeAuthenticationDigest : undefined;
  return digest ? { digest } : {};
};

/**
 * Whether the chip answered our challenge with the key of data group 15, whose hash the LDS object
 * has.
 */
export const checkActiveAuthentication = (question: PossessionQuestion): CheckState => {
  const { challenge, activeAuthenticationResponse: response } = question.evidence;
  if (response === undefined) return unanswered(question, 15);
  if (challenge === undefined) return 'UNVERIFIED';
  const group = keyGroup(question, 15);
  if ('state' in group) return group.state;
  const key = attempt(() => readDataGroup15(group.file));
  if (key.error) return 'UNVERIFIED';
  return activeAuthenticationIsRight({ key: key.value, challenge, response, ...namedDigest(question) })
    ? 'OK'
    : 'FAILED';
};

/**
 * Whether the chip answered our command with keys that need the private key of data group 14, whose
 * hash the LDS object has.
 */
export const checkChipAuthentication = (question: PossessionQuestion): CheckState => {
  const answer = question.evidence.chipAuthentication;
  if (answer === undefined) return unanswered(question, 14);
  const group = keyGroup(question, 14);
  if ('state' in group) return group.state;
  const changed =
    answer.command !== undefined && Buffer.from(answer.command).toString('base64') !== answer.state.command;
  return !changed && startedWith(answer.state, group.file) && checkChipAnswer(answer.state, answer.response)
    ? 'OK'
    : 'FAILED';
};
