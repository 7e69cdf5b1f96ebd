import type { Certificate } from '../certificates/certificate.ts';
import { nameText } from '../certificates/name.ts';
import { attempt } from '../errors.ts';
import { readSecurityObject, type SecurityObject } from '../lds/security-object.ts';
import {
  authenticatePassively,
  compareHashes,
  type DataGroupState,
  inOne,
  type PassiveAuthentication,
} from '../passive/passive-authentication.ts';
import type { CheckState } from '../passive/states.ts';
import type { TrustStore } from '../trust/store.ts';
import { readContents, readZone, type Zone } from './contents.ts';
import { takeDataGroups } from './data-groups.ts';
import type { ChipEvidence } from './evidence.ts';
import { checkActiveAuthentication, checkChipAuthentication } from './possession.ts';
import {
  CHIP_INDICATORS,
  type ChipFinding,
  type ChipIndicatorName,
  type ChipVerification,
  type ShownCertificate,
} from './verification.ts';

const indicators = (states: Partial<Record<ChipIndicatorName, CheckState>>) =>
  CHIP_INDICATORS.map((name) => ({ name, state: states[name] ?? 'UNVERIFIED' }));

const shown = (certificate: Certificate): ShownCertificate => ({
  subject: nameText(certificate.subject),
  issuer: nameText(certificate.issuer),
  serialNumber: certificate.serialNumber,
  notBefore: certificate.notBefore.toISOString(),
  notAfter: certificate.notAfter.toISOString(),
  sha256: certificate.sha256,
});

const shownSigner = ({ certificate, signed, signer: { anchor } }: PassiveAuthentication) => ({
  ...(certificate && signed
    ? { signer: { ...shown(certificate), signedAt: signed.at.toISOString(), signedAtFrom: signed.from } }
    : {}),
  ...(anchor ? { authority: { ...shown(anchor.certificate), source: anchor.source, level: anchor.level } } : {}),
});

/**
 * The data groups that somebody gains by leaving them out: the face of the true holder, and the
 * keys that a clone lacks.
 */
const WITHHELD_GROUPS = [2, 14, 15];

const groupFindings = (states: ReadonlyMap<number, DataGroupState>, { lds }: SecurityObject): ChipFinding[] => [
  ...[...states].flatMap(([dataGroup, state]): ChipFinding[] => {
    if (state === 'OK') return [];
    return [{ code: state === 'NOT_LISTED' ? 'DATA_GROUP_NOT_LISTED' : 'DATA_GROUP_HASH_DIFFERS', dataGroup }];
  }),
  ...WITHHELD_GROUPS.filter((number) => lds.hashes.has(number) && !states.has(number)).map(
    (dataGroup): ChipFinding => ({ code: 'DATA_GROUP_WITHHELD', dataGroup }),
  ),
  ...(lds.digest === 'sha1' ? [{ code: 'DIGEST_IS_SHA1' } as const] : []),
];

const revocationFindings = (
  { signer: { anchor } }: PassiveAuthentication,
  trust: TrustStore,
  now: Date,
): ChipFinding[] => {
  if (anchor === undefined) return [];
  const list = trust.latestRevocationList(anchor.certificate.subject.country ?? '', now);
  if (list === undefined) return [{ code: 'NO_REVOCATION_LIST' }];
  return list.nextUpdate && list.nextUpdate < now ? [{ code: 'REVOCATION_LIST_OUTDATED' }] : [];
};

const signerFindings = ({ signature, signer }: PassiveAuthentication): ChipFinding[] => [
  ...(signature.reason ? [{ code: 'SIGNATURE_NOT_RIGHT', reason: signature.reason } as const] : []),
  ...(signer.reason ? [{ code: 'SIGNER_NOT_RIGHT', reason: signer.reason } as const] : []),
];

const unreadable = (zone: Zone, errors: ChipVerification['errors']): ChipVerification => ({
  indicators: indicators({ DATA_GROUP1_CHECK: zone.state }),
  findings: zone.findings,
  errors,
  dataGroups: {},
  ...(zone.mrz ? { mrz: zone.mrz } : {}),
  ...(zone.expired === undefined ? {} : { expired: zone.expired }),
});

/** `isPart`: a part of what was sent was not accepted, so its hash was not checked. */
const hashesOf = (states: ReadonlyMap<number, DataGroupState>, isPart: boolean): CheckState => {
  if ([...states.values()].some((state) => state !== 'OK')) return 'FAILED';
  return isPart || states.size === 0 ? 'UNVERIFIED' : 'OK';
};

/**
 * Checks a chip: its security object and the signer's chain, the hash of every data group, the
 * chip's answers to our challenge and our command, and what its machine-readable zone says. It is
 * pure: time and trust store are parameters. It does not throw for what a reader sent; `errors`
 * lists files that cannot be read.
 */
export const verifyChip = (evidence: ChipEvidence): ChipVerification => {
  const { trust, now } = evidence;
  const { taken, errors } = takeDataGroups(evidence.dataGroups);
  const zone = readZone(taken.get(1), now, evidence.imageMrz);
  const read = attempt(() => readSecurityObject(evidence.files.documentSecurityObject));
  const sofar = [...errors, ...zone.errors];
  if (read.error)
    return unreadable(zone, [
      ...sofar,
      { file: 'documentSecurityObject', code: read.error.code, reason: read.error.message },
    ]);
  const securityObject = read.value;
  const states = compareHashes(securityObject.lds, taken);
  const { contents, ...said } = readContents(taken, states);
  const passive = authenticatePassively({
    securityObject,
    issuingState: zone.mrz?.issuingState,
    documentCode: zone.mrz?.documentCode,
    dateOfIssue: contents.document?.dateOfIssue,
    trust,
    now,
  });
  const hashes = hashesOf(states, taken.size < Object.keys(evidence.dataGroups).length);
  const question = {
    evidence,
    dataGroups: taken,
    states,
    listed: new Set(securityObject.lds.hashes.keys()),
    forged: passive.signature.state === 'FAILED',
  };
  return {
    indicators: indicators({
      PASOD_SIGNATURE_CHECK: passive.signature.state,
      PASSIVE_AUTHENTICATION_HASH_CHECK: hashes,
      PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK: passive.signer.state,
      PASSIVE_AUTHENTICATION_CHECK: inOne([passive.signature.state, hashes, passive.signer.state]),
      ACTIVE_AUTHENTICATION_CHECK: checkActiveAuthentication(question),
      CHIP_AUTHENTICATION_CHECK: checkChipAuthentication(question),
      DATA_GROUP1_CHECK: zone.state,
    }),
    findings: [
      ...zone.findings,
      ...signerFindings(passive),
      ...groupFindings(states, securityObject),
      ...revocationFindings(passive, trust, now),
      ...said.findings,
    ],
    errors: [...sofar, ...said.errors],
    dataGroups: Object.fromEntries(states),
    ...(zone.mrz ? { mrz: zone.mrz } : {}),
    ...(zone.expired === undefined ? {} : { expired: zone.expired }),
    ...contents,
    ...shownSigner(passive),
  };
};
