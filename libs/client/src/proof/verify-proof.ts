import type { TrustStore } from '@assay/chip';
import {
  countValues,
  firstViolationOf,
  type Identity,
  IdentitySchema,
  type Proof,
  ProofElementsSchema,
  present,
  type VerificationAndEvaluationDetails,
  violationsOf,
} from '@assay/contracts';
import { selectChipFiles, verifyChips } from '../chip/verify-chips.ts';
import { checkConsistency, type ProofFiles } from './consistency.ts';
import {
  type Contents,
  compareHashes,
  isInOrder,
  parseJson,
  type ReadOptions,
  readContents,
  readProof,
} from './contents.ts';
import { refuseErrorReply } from './error-reply.ts';
import type { VerificationKey } from './keys.ts';
import { unwrap } from './mime.ts';
import { CHECKS, type CheckName, type ProofReport, type Reason, Refusal, UnusableInput } from './report.ts';
import { verifyProofSignature } from './signature.ts';
import { type ByteSource, bufferSource, fileSource } from './source.ts';
import { readLayout, type ZipLimits } from './zip-layout.ts';

const LIMITS: ZipLimits = { entries: 10_000, bytes: 16 * 1024 ** 3, ratio: 200 };
const IDENTITY = 'identityDetails.json';
/** Reasons reported for one check. */
const MOST_REASONS = 1000;
const ELEMENTS = 'verificationAndEvaluationDetails.json';

export interface VerifyOptions extends ReadOptions {
  limits?: Partial<ZipLimits>;
  /** Whom to trust for chips: with it, the chips of the proof are verified again. */
  trust?: TrustStore | undefined;
}

/** A report, and what the archive holds where its structure is sound. */
export interface Inspected {
  report: ProofReport;
  contents?: Contents;
}

const reasonOf = (check: CheckName, error: unknown): Reason => {
  if (!(error instanceof Refusal)) throw error;
  return { check, reason: error.message, ...present({ where: error.where }) };
};

/**
 * Collects what the checks find. A check that cannot go on gives nothing, and those that need its
 * result are not made.
 */
const createFindings = () => {
  const reasons: Reason[] = [];
  const counts = new Map<CheckName, number>();
  const made = new Set<CheckName>();
  return {
    reasons,
    /**
     * Takes what a check found, the first of it: a stranger's archive can be wrong in a million
     * places.
     */
    add: (found: readonly Reason[]): void => {
      for (const reason of found) {
        const count = (counts.get(reason.check) ?? 0) + 1;
        counts.set(reason.check, count);
        if (count <= MOST_REASONS) reasons.push(reason);
      }
    },
    attempt: async <T>(check: CheckName, work: () => T | Promise<T>): Promise<T | undefined> => {
      made.add(check);
      try {
        return await work();
      } catch (error) {
        reasons.push(reasonOf(check, error));
        return undefined;
      }
    },
    outcomes: (asked: readonly CheckName[]): ProofReport['checks'] =>
      asked.map((name) => {
        const refused = reasons.some(({ check }) => check === name);
        return { name, outcome: refused ? 'refused' : made.has(name) ? 'ok' : 'not-made' };
      }),
  };
};
type Findings = ReturnType<typeof createFindings>;

/** More values than these may be wrong in more places than fit into memory: the first is told. */
const MANY_VALUES = 100_000;

const violations = (
  schema: Parameters<typeof violationsOf>[0],
  value: unknown,
  file: Buffer,
  where: string,
): Reason[] =>
  (countValues(file) > MANY_VALUES ? firstViolationOf : violationsOf)(schema, value).map(({ field, message }) => ({
    check: 'schema',
    reason: `${field} ${message}`.trim(),
    where,
  }));

/** The two other JSON files in their published shapes; undefined when they do not have them. */
const readDetails = async (
  { root, json }: Contents,
  proof: Proof,
  findings: Findings,
): Promise<ProofFiles | undefined> => {
  const parsed = await findings.attempt('schema', () => ({
    identity: parseJson(json[IDENTITY], IDENTITY),
    elements: parseJson(json[ELEMENTS], ELEMENTS),
  }));
  if (!parsed) return undefined;
  const wrong = [
    ...violations(IdentitySchema, parsed.identity, json[IDENTITY], IDENTITY),
    ...violations(ProofElementsSchema, parsed.elements, json[ELEMENTS], ELEMENTS),
  ];
  findings.add(wrong);
  if (wrong.length > 0) return undefined;
  const { identity, elements } = parsed as { identity: Identity; elements: VerificationAndEvaluationDetails[] };
  return { root, proof, identity, elements };
};

/** What ends `tenantUsed` in the proofs of a sandbox (specification, Sandbox). */
const isOfSandbox = ({ tenantUsed = '' }: Proof): boolean => / sandbox$/.test(tenantUsed);

/** The checks of what is in the archive, once its structure is known to be sound. */
const checkContents = async (
  contents: Contents,
  keys: readonly VerificationKey[],
  findings: Findings,
  trust: TrustStore | undefined,
): Promise<Pick<ProofReport, 'proof' | 'kid' | 'chips'> & { inOrder?: boolean }> => {
  const proof = await findings.attempt('schema', () => readProof(contents.json['proof.json']));
  if (!proof) return {};
  await findings.attempt('hashes', () => findings.add(compareHashes(proof, contents.files)));
  const kid = await findings.attempt('signature', () => verifyProofSignature(proof, keys));
  const files = await readDetails(contents, proof, findings);
  if (files) await findings.attempt('consistency', () => findings.add(checkConsistency(files)));
  const verified =
    files && trust ? await findings.attempt('chip', () => verifyChips(files, contents.selected, trust)) : undefined;
  findings.add(verified?.reasons ?? []);
  const { proofId, identityId, tenantId, componentVersion, startDateTime, endDateTime } = proof;
  const levelOfAssurance = files?.identity.globalStatus.levelOfAssurance;
  return {
    proof: {
      proofId,
      identityId,
      tenantId,
      componentVersion,
      startDateTime,
      endDateTime,
      ...present({ levelOfAssurance }),
      ...(isOfSandbox(proof) ? { sandbox: true as const } : {}),
    },
    ...present({ kid }),
    ...present({ chips: verified?.chips }),
    inOrder: isInOrder(proof, contents.files),
  };
};

/** The files of chips are kept too where they are to be verified. */
const selectingChips = ({ select, ...reading }: ReadOptions, trust: TrustStore | undefined): ReadOptions => {
  const selectChip = trust ? selectChipFiles() : () => false;
  return { ...reading, select: (path, bytes) => selectChip(path, bytes) || (select?.(path, bytes) ?? false) };
};

const run = async (
  source: ByteSource,
  keys: readonly VerificationKey[],
  { limits, trust, ...reading }: VerifyOptions,
): Promise<Inspected> => {
  const findings = createFindings();
  const unwrapped = await findings.attempt('envelope', () => unwrap(source));
  const archive =
    unwrapped &&
    (await findings.attempt('zip', async () => {
      const layout = await readLayout(unwrapped.zip, { ...LIMITS, ...limits });
      return { layout, contents: await readContents(layout, selectingChips(reading, trust)) };
    }));
  if (archive && unwrapped.filename !== undefined)
    await findings.attempt('envelope', () => {
      if (unwrapped.filename !== `${archive.contents.root}.zip`)
        throw new Refusal('the envelope names another file than the archive is', unwrapped.filename);
    });
  const { inOrder = true, ...checked } = archive ? await checkContents(archive.contents, keys, findings, trust) : {};
  const report: ProofReport = {
    ok: findings.reasons.length === 0,
    reasons: findings.reasons,
    checks: findings.outcomes(trust ? [...CHECKS, 'chip'] : CHECKS),
    ...checked,
    files: archive?.contents.files ?? [],
    ...(archive ? { repacked: archive.layout.repacked || !inOrder } : {}),
  };
  return { report, ...present({ contents: archive?.contents }) };
};

/**
 * Verifies a proof and hands over what it holds, for programs that go on to use it; what was
 * refused is for display at most.
 * @throws UnusableInput when the input is empty, unreadable or an error reply, or there is no key
 */
export const inspectProof = async (
  input: Buffer | string,
  keys: readonly VerificationKey[],
  options: VerifyOptions = {},
): Promise<Inspected> => {
  if (keys.length === 0) throw new UnusableInput('there is no key to verify with');
  const source = typeof input === 'string' ? await fileSource(input) : bufferSource(input);
  try {
    if (source.size === 0) throw new UnusableInput('the input is empty');
    await refuseErrorReply(source);
    return await run(source, keys, options);
  } finally {
    await source.close();
  }
};

/**
 * Verifies a proof offline: the MIME envelope or the bare ZIP, from bytes or from a file of any
 * size. An archive that was compressed again or re-ordered with the same entries is good.
 * @throws UnusableInput when the input is empty, unreadable or an error reply, or there is no key
 */
export const verifyProof = async (
  input: Buffer | string,
  keys: readonly VerificationKey[],
  options: VerifyOptions = {},
): Promise<ProofReport> => (await inspectProof(input, keys, options)).report;
