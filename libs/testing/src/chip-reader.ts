import { newIdentity, readStack, type Tenant } from './suite.ts';

export const PASSPORT = {
  documentNumber: 'L898902C3',
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  dateOfBirth: '1974-08-12',
  gender: 'F',
  dateOfExpiry: '2032-04-15',
};

/** One call of the chip simulator of the running suite. */
export const simulatedChip = async (path: string, body: object = {}) => {
  const response = await fetch(`${readStack().simulators.chip}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`the chip simulator answered ${response.status}`);
  return (await response.json()) as Record<string, never> & { chipId: string; dataGroup14?: string };
};

interface Reading {
  chipAuthentication?: boolean;
  session?: object;
  consents?: readonly object[];
  /** The identity of the person; a new one by default. */
  identity?: Awaited<ReturnType<typeof newIdentity>>;
}

/**
 * Reads a passport like an app: opens a session, does chip authentication if wanted, and returns
 * the data, which are not sent yet.
 */
export const readPassport = async (
  { relyingService }: Tenant,
  passport: object,
  { chipAuthentication = false, session = {}, consents = [], identity: given }: Reading = {},
) => {
  const identity = given ?? (await newIdentity(relyingService));
  if (consents.length > 0) await relyingService.post(`${identity.at}/consents`, consents);
  const { chipId } = await simulatedChip('/passports', { ...PASSPORT, ...passport });
  const begun = await relyingService.post(`/svc/v1/identities/${identity.id}/id-documents/nfc-session`, session);
  if (begun.status !== 200) throw new Error(`no session in which a chip is read: ${begun.status}`);
  const { sessionId, id, activeAuthenticationChallenge } = begun.body;
  const at = `/svc/v1/nfc-sessions/${sessionId}`;
  const { dataGroup14 } = await simulatedChip(`/passports/${chipId}/read`);
  const asked = chipAuthentication
    ? await relyingService.post(`${at}/chip-authentication`, { dataGroup14 })
    : undefined;
  const data = await simulatedChip(`/passports/${chipId}/read`, {
    activeAuthenticationChallenge,
    ...(asked ? { chipAuthentication: asked.body } : {}),
  });
  return { identity, id: String(id), at, data, begun, chipId, asked };
};
