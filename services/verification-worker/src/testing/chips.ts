import { randomBytes } from 'node:crypto';
import { beginChipAuthentication } from '@assay/chip';
import { type ChipPlan, createAuthority, createChip, type SoftwareChip } from '@assay/chip/software';
import { present } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { type Identity, type Rig, submission } from './rig.ts';

export const PASSPORT = {
  documentNumber: 'L898902C3',
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  dateOfBirth: '1974-08-12',
  gender: 'FEMALE',
  dateOfExpiry: '2032-04-15',
} as const;

const authority = createAuthority();

/** A chip issued by the authority that a rig may trust. */
export const issue = (plan: Partial<ChipPlan> = {}): SoftwareChip =>
  createChip(authority, { passport: PASSPORT, now: new Date(), activeAuthentication: 'ECDSA', ...plan });

/** Makes the worker of a rig trust that authority. */
export const trustIssuer = (rig: Rig) => {
  const at = new Date();
  return rig.trust.add([
    {
      sha256: newId(),
      kind: 'AUTHORITY',
      level: 'SINGLE',
      der: authority.certificate,
      country: 'UT',
      subject: 'test',
      notBefore: at,
      source: 'test',
      addedAt: at,
    },
  ]);
};

export interface Reading {
  answers?: ('ACTIVE' | 'CHIP')[];
  without?: string[];
  altered?: Partial<Record<string, Buffer>>;
  /** A crop that came with the files: all of data group 2 from here on. */
  cropAt?: number;
  more?: Parameters<typeof submission>[2];
}

/** Submits what a reader reads from a chip. */
export const bringChip = async (
  rig: Rig,
  identity: Identity,
  chip: SoftwareChip,
  { answers = [], without = [], altered = {}, cropAt, more }: Reading = {},
) => {
  const challenge = randomBytes(8);
  const files: Record<string, string> = {};
  const store = (name: string, bytes: Uint8Array) => {
    if (without.includes(name)) return;
    files[name] = newId();
    rig.media.set(files[name], altered[name] ?? Buffer.from(bytes));
  };
  store('sod', chip.documentSecurityObject);
  for (const [number, bytes] of Object.entries(chip.dataGroups)) store(`dg${number}`, bytes);
  const active = answers.includes('ACTIVE') ? chip.answerChallenge(challenge) : undefined;
  const begun = answers.includes('CHIP') ? beginChipAuthentication(chip.dataGroups[14]!) : undefined;
  const response = begun && chip.answerCommand(begun);
  const portrait = cropAt === undefined ? undefined : { mediaId: newId(), at: cropAt };
  if (portrait) rig.media.set(portrait.mediaId, Buffer.from(chip.dataGroups[2]!).subarray(portrait.at));
  const submitted = {
    challenge: challenge.toString('base64'),
    files,
    ...present({ portrait, activeAuthenticationResponse: active && Buffer.from(active).toString('base64') }),
    ...(begun && response
      ? { chipAuthentication: { state: begun.state, response: Buffer.from(response).toString('base64') } }
      : {}),
  };
  const event = submission(identity, rig, {
    operation: 'EVIDENCE_NFC_VERIFICATION',
    content: { chip: submitted },
    ...more,
  });
  await rig.send(event);
  return event;
};
