import { type Authority, CHIP_FAULTS, createChip, type SoftwareChip } from '@assay/chip/software';
import { CalendarDate, OneOf, present } from '@assay/contracts';
import { ApiError, createApp, jsonBody, ok, parseBody, reply } from '@assay/http';
import { type Log, newId } from '@assay/runtime';
import type { Express } from 'express';
import { type Static, type TSchema, Type } from 'typebox';

const PassportSchema = Type.Object({
  documentNumber: Type.String({ pattern: '^[A-Za-z0-9]{1,9}$' }),
  surname: Type.String({ minLength: 1, maxLength: 64 }),
  givenNames: Type.Union([Type.String({ maxLength: 64 }), Type.Array(Type.String({ maxLength: 64 }))]),
  dateOfBirth: CalendarDate,
  gender: Type.Optional(Type.String()),
  dateOfExpiry: CalendarDate,
  issuingCountry: Type.Optional(Type.String({ pattern: '^[A-Z]{1,3}$' })),
  portrait: Type.Optional(Type.String({ description: 'JPEG, base64' })),
  activeAuthentication: Type.Optional(OneOf(['RSA', 'ECDSA', 'none'])),
  chipAuthentication: Type.Optional(OneOf(['ECDH', 'none'])),
  fault: Type.Optional(OneOf(CHIP_FAULTS)),
});

const ReadSchema = Type.Object({
  activeAuthenticationChallenge: Type.Optional(Type.String()),
  chipAuthentication: Type.Optional(
    Type.Object({
      protocol: Type.Optional(Type.String()),
      keyId: Type.Optional(Type.Integer()),
      terminalPublicKey: Type.String(),
      command: Type.String(),
    }),
  ),
});

/** The body; what is null in it counts as absent. */
const sent = <S extends TSchema>(schema: S, body: unknown): Static<S> =>
  parseBody(schema, body, { nullIsAbsent: true });

const GENDERS: Readonly<Record<string, 'MALE' | 'FEMALE'>> = { M: 'MALE', MALE: 'MALE', F: 'FEMALE', FEMALE: 'FEMALE' };

/** A clone is found out only by what it cannot answer. */
const authenticationOf = ({ activeAuthentication, chipAuthentication, fault }: Static<typeof PassportSchema>) => {
  const isUnasked = !activeAuthentication && chipAuthentication !== 'ECDH';
  return present({
    chipAuthentication,
    activeAuthentication: fault === 'cloned' && isUnasked ? ('RSA' as const) : activeAuthentication,
  });
};

const issue = (authority: Authority, body: Static<typeof PassportSchema>, now: Date): SoftwareChip => {
  const { documentNumber, surname, givenNames, dateOfBirth, gender, dateOfExpiry } = body;
  const { portrait, fault, issuingCountry = 'UTO' } = body;
  return createChip(authority, {
    passport: {
      documentNumber,
      surname,
      givenNames: [givenNames].flat().join(' '),
      dateOfBirth,
      dateOfExpiry,
      gender: GENDERS[gender ?? ''] ?? 'UNSPECIFIED',
      issuingState: issuingCountry,
    },
    now,
    ...authenticationOf(body),
    ...(portrait ? { portrait: Buffer.from(portrait, 'base64') } : {}),
    ...present({ fault }),
  });
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** What a reader has after it read the chip, in the shape of the body it sends to the suite. */
const read = (chip: SoftwareChip, { activeAuthenticationChallenge, chipAuthentication }: Static<typeof ReadSchema>) => {
  const answer =
    activeAuthenticationChallenge && chip.answerChallenge(Buffer.from(activeAuthenticationChallenge, 'base64'));
  const response =
    chipAuthentication &&
    chip.answerCommand({
      terminalPublicKey: Buffer.from(chipAuthentication.terminalPublicKey, 'base64'),
      command: Buffer.from(chipAuthentication.command, 'base64'),
    });
  return {
    documentSecurityObject: base64(chip.documentSecurityObject),
    comFile: base64(chip.comFile),
    dataGroups: Object.fromEntries(Object.entries(chip.dataGroups).map(([number, bytes]) => [number, base64(bytes)])),
    ...(chip.doesChipAuthentication && chip.dataGroups[14] ? { dataGroup14: base64(chip.dataGroups[14]) } : {}),
    accessProtocol: 'PACE',
    ...(answer ? { activeAuthenticationResponse: base64(answer) } : {}),
    ...(response && chipAuthentication
      ? { chipAuthentication: { response: base64(response), command: chipAuthentication.command } }
      : {}),
    reader: { application: 'assay-chip-simulator', version: '1.0' },
  };
};

/**
 * Passport chips in software, and a reader that reads them (docs/specification.md, Chip evidence).
 */
export const createChipSimulator = ({ authority, now, log }: { authority: Authority; now: () => Date; log: Log }) => {
  const chips = new Map<string, SoftwareChip>();
  const routes = (app: Express): void => {
    const json = jsonBody({ limit: 4 * 1024 * 1024, mayBeAbsent: true });
    app.post(
      '/passports',
      json,
      reply((request) => {
        const chipId = newId();
        chips.set(chipId, issue(authority, sent(PassportSchema, request.body), now()));
        return ok({ chipId });
      }),
    );
    app.get(
      '/passports',
      reply(() => ok({ items: [...chips.keys()].map((chipId) => ({ chipId })) })),
    );
    app.post(
      '/passports/:chipId/read',
      json,
      reply((request) => {
        const chip = chips.get(String(request.params.chipId));
        if (!chip) throw new ApiError('NOT_FOUND');
        return ok(read(chip, sent(ReadSchema, request.body)));
      }),
    );
  };
  return createApp({ service: 'chip', log, routes });
};
