import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAuthority, createChip, type SoftwareChip } from '@assay/chip/software';
import { newIdentity, newTenant } from '@assay/testing';

const holder = join(import.meta.dirname, '../../specimens/portraits/holder.jpg');
const POLL_MS = 100;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

type Identity = Awaited<ReturnType<typeof newIdentity>>;

/** A chip and the identity it is brought for. */
export interface Subject {
  chip: SoftwareChip;
  identity: Identity;
}

const chipOf = (authority: ReturnType<typeof createAuthority>, number: number): SoftwareChip =>
  createChip(authority, {
    passport: {
      documentNumber: `B${String(number).padStart(8, '0')}`,
      surname: 'SPECIMEN',
      givenNames: 'BENCH',
      dateOfBirth: '1980-01-02',
      gender: 'FEMALE',
      dateOfExpiry: '2034-01-02',
      issuingState: 'SMR',
    },
    now: new Date(),
    activeAuthentication: 'ECDSA',
    chipAuthentication: 'none',
    portrait: readFileSync(holder),
  });

/** A tenant whose suite trusts a software authority, and the calls that bring chips of it. */
export const openChipPath = async ({ portrait }: { portrait: boolean }) => {
  const tenant = await newTenant('chips', { acceptSpecimens: true });
  const authority = createAuthority({ country: 'SM' });
  await tenant.admin.upload('/admin/v1/trust/csca', { file: authority.certificate, source: 'bench' });
  let issued = 0;

  const subject = async (): Promise<Subject> => {
    const identity = await newIdentity(tenant.relyingService);
    if (portrait) await identity.consent('PORTRAIT');
    issued += 1;
    return { identity, chip: chipOf(authority, issued) };
  };

  /** Session, answer and data of one chip, until its status is stable. */
  const bring = async ({ chip, identity }: Subject, pollMs = POLL_MS): Promise<string> => {
    const { body } = await tenant.relyingService.post(`${identity.at}/id-documents/nfc-session`, {});
    const answer = chip.answerChallenge(Buffer.from(body.activeAuthenticationChallenge, 'base64'))!;
    await tenant.relyingService.post(`/svc/v1/nfc-sessions/${body.sessionId}/data`, {
      documentSecurityObject: base64(chip.documentSecurityObject),
      comFile: base64(chip.comFile),
      dataGroups: Object.fromEntries(Object.entries(chip.dataGroups).map(([number, file]) => [number, base64(file)])),
      activeAuthenticationResponse: base64(answer),
    });
    for (;;) {
      await pause(pollMs);
      const { status } = await identity.status(body.id);
      if (status !== 'PROCESSING') return status;
    }
  };

  const subjects = async (count: number): Promise<Subject[]> => {
    const made: Subject[] = [];
    for (let at = 0; at < count; at += 1) made.push(await subject());
    return made;
  };

  return { subjects, bring };
};
export type ChipPath = Awaited<ReturnType<typeof openChipPath>>;
