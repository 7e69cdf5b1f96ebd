import type { ChipAuthenticationState } from '@assay/chip';
import { type ChipAuthenticationReply, type ChipDataRequest, type ChipSubmission, present } from '@assay/contracts';
import { answersOf, type ChipFile, filesOf, gaveUp, namesOf, PORTRAIT_FILE, portraitAt } from '../domain/chip-files.ts';
import { alpha3 } from '../domain/countries.ts';
import { mediaIn, type Reading } from '../domain/medium.ts';
import type { Evidence } from '../store/evidences.ts';
import { type Cut, type ReadingDeps, storeReadings } from './chip-readings.ts';

/** What the server knows of a session with a chip; sealed in the session while it is open. */
export interface ChipExchange {
  /** Base64. */
  challenge: string;
  /** The data sent for chip authentication, and the state to check the answer with. */
  authentication?: ChipAuthenticationReply & { state: ChipAuthenticationState };
  /** The call that began it: the same again gets the same data. */
  begunBy?: string;
}

/** Challenges and answers, as a file beside those of the chip. Nothing in it is secret. */
const exchangeFile = ({ challenge, authentication }: ChipExchange, request: ChipDataRequest) => {
  const { activeAuthenticationResponse, chipAuthentication, accessProtocol, reader, errors } = request;
  const { state: _secret, ...sent } = authentication ?? { state: undefined };
  return {
    activeAuthenticationChallenge: challenge,
    activeAuthenticationResponse,
    chipAuthentication: authentication && { ...sent, ...chipAuthentication },
    accessProtocol,
    reader,
    errors,
  };
};

interface ChipData {
  /** The key of the identity. */
  key: Buffer;
  evidence: Evidence;
  exchange: ChipExchange;
  request: ChipDataRequest;
  /** False: the portrait is only stored until its hash is checked. */
  portraitStays: boolean;
}

interface StoredChipData {
  /** The files that become media of the evidence. */
  attached: Reading;
  /** The portrait, if it does not stay. */
  unattached: Reading[];
  /** Where a JPEG in data group 2 begins that was stored as a crop, too. */
  cropAt?: number;
}

/** What may be the portrait; only of one that stays. */
const cutOf = (files: readonly ChipFile[]): Cut | undefined => {
  const file = files.find(({ name }) => name === `${PORTRAIT_FILE}.bin`);
  const at = file && portraitAt(file.bytes);
  return at === undefined ? undefined : { of: file!.name, at, bytes: file!.bytes.subarray(at) };
};

/**
 * Stores the files of the chip, its answers and the exchange (session.json), in one write, and what
 * may be the portrait's JPEG with them. The files are named as by `namesOf` and `answersOf`, with
 * `.bin`.
 */
export const storeChipData = async (
  deps: ReadingDeps,
  { key, evidence, exchange, request, portraitStays }: ChipData,
): Promise<StoredChipData> => {
  const { tenantId, identityId, _id: evidenceId } = evidence;
  const fromChip = [...filesOf(request), ...answersOf(exchange, request)];
  const isUnattached = (name: string): boolean => !portraitStays && name === PORTRAIT_FILE;
  const asFile = ({ name, bytes }: (typeof fromChip)[number]) => ({ name: `${name}.bin`, bytes });
  const session = { name: 'session.json', bytes: Buffer.from(JSON.stringify(exchangeFile(exchange, request))) };
  const files = [...fromChip.filter(({ name }) => !isUnattached(name)).map(asFile), session];
  const portrait = fromChip.filter(({ name }) => isUnattached(name)).map(asFile);
  const cut = cutOf(files);
  const parts = [{ files, ...present({ cut }) }, ...(portrait.length > 0 ? [{ files: portrait }] : [])];
  const [attached, ...unattached] = await storeReadings(deps, { tenantId, identityId, evidenceId }, key, parts);
  return { attached: attached!, unattached, ...present({ cropAt: cut?.at }) };
};

/** The submission as the worker reads it. */
export const submissionOf = (
  { session }: Evidence,
  { challenge, authentication }: ChipExchange,
  request: ChipDataRequest,
  { attached, unattached, cropAt }: StoredChipData,
): ChipSubmission => {
  const { activeAuthenticationResponse, chipAuthentication, accessProtocol, reader, errors } = request;
  const asked = session?.request.kind === 'CHIP' ? session.request : undefined;
  const media = [attached, ...unattached].flatMap(mediaIn);
  const idOf = new Map(media.map(({ _id, name }) => [name, _id] as const));
  const crop = media.find(({ role }) => role === 'CROP');
  const files = Object.fromEntries(
    namesOf(request).flatMap((name) => {
      const mediaId = idOf.get(`${name}.bin`);
      return mediaId === undefined ? [] : [[name, mediaId]];
    }),
  );
  return {
    challenge,
    ...(gaveUp(request) ? {} : { files }),
    ...(crop && cropAt !== undefined ? { portrait: { mediaId: crop._id, at: cropAt } } : {}),
    ...(activeAuthenticationResponse ? { activeAuthenticationResponse } : {}),
    ...(chipAuthentication && authentication
      ? { chipAuthentication: { state: authentication.state, ...chipAuthentication } }
      : {}),
    ...present({
      accessProtocol,
      reader,
      errors,
      imageEvidenceId: asked?.evidenceId,
      issuingCountry: asked?.issuingCountry && alpha3(asked.issuingCountry),
    }),
  };
};
