import type { Operations } from './operations.d.ts';
import { AssayUnreachable } from './refusal.ts';

type Read = { readonly [Id in keyof Operations]?: 'list' | readonly (keyof Operations[Id]['reply'] & string)[] };

/** What the calls of the typical flow are read by. Where it is missing, no suite answered. */
const READ: Read = {
  createIdentity: ['id'],
  getIdentity: ['globalStatus'],
  getIdentityStatus: ['globalStatus', 'singleStatuses'],
  getEvidenceStatus: ['status'],
  createUserAgentSession: ['url', 'token'],
  submitConsents: 'list',
  captureDocument: ['id'],
  capturePortrait: ['id'],
  submitDocument: ['id'],
  submitHealthCard: ['id'],
  submitAttributes: ['id'],
  submitAddress: ['id'],
  startChipSession: ['sessionId'],
  submitChip: ['id'],
};

/** The first of these members that an answer has not. */
export const missingIn = <Name extends string>(answer: unknown, names: readonly Name[]): Name | undefined => {
  const members = (answer ?? {}) as Readonly<Record<string, unknown>>;
  return names.find((name) => (members[name] ?? undefined) === undefined);
};

/**
 * @throws AssayUnreachable, where something answered that is no suite: a page of a proxy, another
 * service
 */
export const refuseOtherAnswers = (id: keyof Operations, data: unknown, base: string, requestId: string): void => {
  const read = READ[id] ?? [];
  const missing = typeof read === 'string' ? (Array.isArray(data) ? undefined : read) : missingIn(data, read);
  if (missing === undefined) return;
  throw new AssayUnreachable('NO_SUITE', requestId, `${base} does not answer like a suite: there is no ${missing}`);
};
