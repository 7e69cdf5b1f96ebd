import { type IdDocumentData, present } from '@assay/contracts';
import type { ChipReader } from './read-chip.ts';

const post = async (url: string, body: object): Promise<Record<string, never>> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the chip simulator answered ${answer.status}`);
  return (await answer.json()) as Record<string, never>;
};

/**
 * A chip in software that belongs to a document which was read: its holder and number, and a
 * portrait.
 */
export const issueChip = async (
  simulator: string,
  document: IdDocumentData,
  portrait: Buffer | undefined,
): Promise<ChipReader> => {
  const { surname, givenNames = [], dateOfBirth, gender } = document.personalAttributes ?? {};
  const { chipId } = await post(`${simulator}/passports`, {
    documentNumber: document.idDocumentNumber,
    surname: surname?.value,
    givenNames: givenNames.map(({ value }) => value).join(' '),
    dateOfBirth: dateOfBirth?.value,
    ...present({ gender: gender?.value }),
    dateOfExpiry: document.expiryDate,
    issuingCountry: document.issuingCountry,
    ...present({ portrait: portrait?.toString('base64') }),
    activeAuthentication: 'ECDSA',
    chipAuthentication: 'ECDH',
  });
  const read = (asked: object): Promise<Record<string, never>> => post(`${simulator}/passports/${chipId}/read`, asked);
  return {
    read: async () => {
      const { documentSecurityObject, dataGroups } = await read({});
      return { documentSecurityObject: documentSecurityObject!, dataGroups: dataGroups! };
    },
    answerChallenge: async (activeAuthenticationChallenge) =>
      (await read({ activeAuthenticationChallenge })).activeAuthenticationResponse!,
    authenticate: async (chipAuthentication) =>
      ((await read({ chipAuthentication })).chipAuthentication as unknown as { response: string }).response,
  };
};
