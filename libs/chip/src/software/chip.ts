import type { Cipher } from '../chip-authentication/select.ts';
import { encodeElement } from '../der/write.ts';
import { SECURITY_OBJECT_TAG } from '../lds/files.ts';
import { answerChallenge, answerCommand, pretendAnswer } from './answers.ts';
import { type Authority, createAuthority, type Signer } from './authority.ts';
import * as groups from './data-groups.ts';
import { drawKey, type KeyKind, type KeyPair, type KeySource } from './keys.ts';
import { cardLines, largeCardLines, type Passport, passportLines } from './machine-lines.ts';
import type { ChipPlan } from './plan.ts';
import { PORTRAIT } from './portrait.ts';
import { signData } from './signed-data.ts';

/** A chip in software: its files, and its answers to what a reader sends. */
export interface SoftwareChip {
  readonly documentSecurityObject: Buffer;
  readonly comFile: Buffer;
  readonly dataGroups: Readonly<Record<string, Buffer>>;
  readonly machineReadableZone: string;
  readonly signer: Signer;
  readonly doesChipAuthentication: boolean;
  /** The answer of active authentication; undefined if the chip does not support it. */
  readonly answerChallenge: (challenge: Uint8Array) => Buffer | undefined;
  /**
   * The answer to the server's protected command; undefined if the chip does not support chip
   * authentication.
   */
  readonly answerCommand: (exchange: {
    readonly terminalPublicKey: Uint8Array;
    readonly command: Uint8Array;
  }) => Buffer | undefined;
}

const DAY = 24 * 60 * 60 * 1000;
const daysFrom = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY);

const CIPHERS: Readonly<Record<1 | 2 | 3 | 4, Cipher>> = { 1: '3DES', 2: 'AES-128', 3: 'AES-192', 4: 'AES-256' };

/** The keys that never leave a chip and that a clone lacks. */
interface OwnKeys {
  readonly active?: KeyPair;
  readonly agreement?: KeyPair;
}

const activeKind = ({ activeAuthentication, activeAuthenticationKey }: ChipPlan): KeyKind =>
  activeAuthenticationKey ?? (activeAuthentication === 'RSA' ? 'RSA-2048' : { curve: 'prime256v1' });

const drawOwnKeys = (plan: ChipPlan): OwnKeys => {
  const { keys = drawKey, activeAuthentication = 'none', chipAuthentication = 'none' } = plan;
  return {
    ...(activeAuthentication === 'none' ? {} : { active: keys(activeKind(plan)) }),
    ...(chipAuthentication === 'none'
      ? {}
      : { agreement: keys(plan.chipAuthenticationKey ?? { curve: 'brainpoolP256r1' }) }),
  };
};

const ATTEMPTS = 8;

/**
 * A key of this kind other than `own`: from the same source of keys, or made anew if that gives
 * none.
 */
const otherKey = (kind: KeyKind, { spki }: KeyPair, keys: KeySource): KeyPair => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const key = keys(kind);
    if (!key.spki.equals(spki)) return key;
  }
  return drawKey(kind);
};

const LINES = { TD1: cardLines, TD2: largeCardLines, TD3: passportLines } as const;

const linesOf = ({ format = 'TD3' }: ChipPlan, passport: Passport): string => LINES[format](passport);

const securityInfos = (plan: ChipPlan, { active, agreement }: OwnKeys): Buffer[] => {
  const {
    chipAuthenticationCipher: cipher = 2,
    chipAuthenticationKeyId: keyId,
    activeAuthenticationDigest: digest = 'sha256',
  } = plan;
  return [
    ...(agreement && cipher !== 'none' ? [groups.chipAuthenticationInfo(cipher, keyId)] : []),
    ...(agreement ? [groups.chipAuthenticationKey(agreement.spki, keyId)] : []),
    ...(active?.kind === 'EC' ? [groups.activeAuthenticationInfo(digest)] : []),
  ];
};

const buildDataGroups = (plan: ChipPlan, own: OwnKeys): Map<number, Buffer> => {
  const { passport, portrait = PORTRAIT, dateOfIssue, dateForm } = plan;
  const infos = securityInfos(plan, own);
  return new Map<number, Buffer>([
    [1, groups.dataGroup1(linesOf(plan, passport))],
    [2, groups.dataGroup2(portrait, plan.portraitEncoding)],
    ...(plan.signatureImage ? [[7, groups.dataGroup7(plan.signatureImage)] as const] : []),
    [
      11,
      groups.dataGroup11(
        `${passport.surname}<<${passport.givenNames.replaceAll(' ', '<')}`,
        passport.dateOfBirth,
        'SPECIMENTOWN',
        dateForm,
      ),
    ],
    ...(dateOfIssue ? [[12, groups.dataGroup12('SPECIMEN AUTHORITY', dateOfIssue, dateForm)] as const] : []),
    ...(infos.length > 0 ? [[14, groups.dataGroup14(...infos)] as const] : []),
    ...(own.active ? [[15, groups.dataGroup15(own.active.spki)] as const] : []),
  ]);
};

const issueSigner = (authority: Authority, { now, fault, signerKey, withoutIssuerKey }: ChipPlan): Signer =>
  authority.issueSigner({
    ...(signerKey ? { key: signerKey } : {}),
    notBefore: daysFrom(now, -400),
    notAfter: fault === 'expired-signer' ? daysFrom(now, -200) : daysFrom(now, 4000),
    withoutIssuerKey: withoutIssuerKey ?? false,
  });

/**
 * A security object over any data groups, with a new signer of the authority: for files that no
 * real passport has.
 */
export const signOver = (authority: Authority, plan: ChipPlan, dataGroups: ReadonlyMap<number, Buffer>): Buffer =>
  sign(plan, issueSigner(authority, plan), dataGroups);

const sign = (plan: ChipPlan, signer: Signer, dataGroups: ReadonlyMap<number, Buffer>): Buffer => {
  const { now, fault, form = { digest: 'sha256' }, ldsDigest = form.digest, ldsVersion = 0 } = plan;
  const signedBy =
    fault === 'wrong-signer'
      ? otherKey(plan.signerKey ?? { curve: 'prime256v1' }, signer.key, plan.keys ?? drawKey)
      : signer.key;
  const signed = signData({
    contentType: plan.contentType ?? '2.23.136.1.1.1',
    content: groups.ldsObject(dataGroups, ldsDigest, ldsVersion),
    certificate: signer.certificate,
    signerKeyId: signer.key.keyId,
    signedBy,
    form,
    ...(plan.withoutSigningTime ? {} : { signingTime: daysFrom(now, -100) }),
    naming: plan.naming ?? 'ISSUER_AND_SERIAL',
    ber: plan.ber ?? false,
    otherCertificates: plan.otherCertificates ?? [],
    withoutCertificate: plan.withoutCertificate ?? false,
  });
  return encodeElement(SECURITY_OBJECT_TAG, signed);
};

/** Another name in data group 1: no check digit covers it, but the hash does. */
const alter = (plan: ChipPlan, dataGroups: ReadonlyMap<number, Buffer>): Map<number, Buffer> =>
  new Map(dataGroups).set(
    1,
    groups.dataGroup1(linesOf(plan, { ...plan.passport, surname: `${plan.passport.surname.slice(0, 8)} ALTERED` })),
  );

/** Issues a passport with a chip, with or without a fault. */
export const createChip = (authority: Authority, plan: ChipPlan): SoftwareChip => {
  const { fault, activeAuthenticationDigest = 'sha256', chipAuthenticationCipher: number = 2 } = plan;
  const own = drawOwnKeys(plan);
  const issued = buildDataGroups(plan, own);
  const issuer = fault === 'unknown-csca' ? createAuthority({ name: 'Unknown Authority' }) : authority;
  const signer = issueSigner(issuer, plan);
  const dataGroups = fault === 'dg-altered' ? alter(plan, issued) : issued;
  const active =
    fault === 'cloned' && own.active ? otherKey(activeKind(plan), own.active, plan.keys ?? drawKey) : own.active;
  const cipher = number === 'none' ? '3DES' : CIPHERS[number];
  return {
    documentSecurityObject: sign(plan, signer, issued),
    comFile: groups.comFile([...dataGroups.keys()]),
    dataGroups: Object.fromEntries(dataGroups),
    machineReadableZone: linesOf(plan, plan.passport),
    signer,
    doesChipAuthentication: own.agreement !== undefined,
    answerChallenge: (challenge) =>
      active && answerChallenge(active, challenge, activeAuthenticationDigest, plan.activeAuthenticationEncoding),
    answerCommand: ({ terminalPublicKey, command }) => {
      if (own.agreement === undefined) return undefined;
      return fault === 'cloned'
        ? pretendAnswer(cipher)
        : answerCommand(own.agreement, cipher, terminalPublicKey, command);
    },
  };
};
