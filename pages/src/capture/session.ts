import { browserStore, tabStore } from '../design/storage.ts';

export const STEPS = ['DOCUMENT', 'CHIP', 'PORTRAIT', 'EMAIL', 'MOBILE'] as const;
export type Step = (typeof STEPS)[number];

/** The token of a link or, in a try-out, a key. */
export type Credential = { token: string } | { key: string };

/** A tenant's settings of this page. */
interface CaptureSettings {
  name?: string;
  logoUrl?: string;
  colour?: string;
  /** Texts of its own, by language. */
  beginText?: Readonly<Record<string, string>>;
  finishText?: Readonly<Record<string, string>>;
  /** Origins of pages that may show this one in a frame. */
  embedders?: readonly string[];
  /** Opens the app that reads chips. */
  chipReader?: string;
}

/** What a link opens. */
export interface Session {
  identityId: string;
  steps: readonly string[];
  locale?: string;
  returnUrl?: string;
  expireAt?: string;
  /**
   * Documents by images and chips that the identity has; absent while it has no evidence, and in a
   * try-out.
   */
  evidenceIds?: { DOCUMENT: readonly string[]; CHIP: readonly string[] };
  page?: CaptureSettings;
}

/** A live capture that was begun and not ended yet. */
export interface LiveCapture {
  step: Step;
  sessionId: string;
  evidenceId: string;
  endKey: string;
}

/** How a chip session was begun: the reader app has to begin it in the same words. */
export interface ChipBeginning {
  key: string;
  /** The document whose data open the chip. */
  documentId?: string | undefined;
}

/** What a reload goes on with: images are not stored, what was sent is. */
export interface Progress {
  credential: Credential;
  /** What this device handed over to another one, to end with once that is done. */
  handedOver?: Session | undefined;
  /** The session of a try-out, which no link describes. */
  tryOut?: Session;
  /** Until when the link is good, once it was opened. */
  expireAt?: string | undefined;
  agreed: boolean;
  /** Steps that are done or were skipped. */
  done: Step[];
  documentType?: string;
  /**
   * Contacts whose code was right: to be passed over, also while the service still writes it down.
   */
  confirmed?: Step[];
  /** Evidence on its way, by step. */
  sent: Partial<Record<Step, string>>;
  /** Something was sent, also where it was not accepted. */
  submitted?: boolean;
  /** A live capture whose frames are on their way. */
  live?: LiveCapture | undefined;
  /** The chip session that this tab began last. */
  chip?: ChipBeginning;
  /** Where a code is on its way to, by step. */
  codes?: Partial<Record<Step, string>>;
}

const STORE = 'assay.capture';

export const storeProgress = (progress: Progress): void => tabStore.setItem(STORE, JSON.stringify(progress));
const storedProgress = (): Progress | undefined => {
  const text = tabStore.getItem(STORE);
  return text === null ? undefined : (JSON.parse(text) as Progress);
};

/** Whether there is anything of which a result can come. */
export const hasSubmitted = ({ submitted, sent, confirmed = [] }: Progress): boolean =>
  submitted === true || Object.keys(sent).length > 0 || confirmed.length > 0;

/**
 * Forgets what is about the person, once nobody waits for it any more: where codes were on their
 * way to, and where a computer would have led back to.
 */
export const forgetPerson = (): void => {
  const stored = storedProgress();
  if (stored) storeProgress({ ...stored, codes: {}, handedOver: undefined });
};

/**
 * The token of the address, taken out of it so that no picture of the page and no history shows it;
 * else what this tab had begun.
 */
export const beginning = (): Progress | undefined => {
  const token = location.hash.slice(1);
  const stored = storedProgress();
  if (!token) return stored;
  history.replaceState(null, '', location.pathname + location.search);
  if (stored && 'token' in stored.credential && stored.credential.token === token) return stored;
  const fresh: Progress = { credential: { token }, agreed: false, done: [], sent: {} };
  storeProgress(fresh);
  return fresh;
};

/**
 * The steps of a session that this page can lead through, in their order: a chip needs an app that
 * reads it.
 */
export const stepsOf = ({ steps, page }: Session): Step[] =>
  STEPS.filter((step) => steps.includes(step) && (step !== 'CHIP' || page?.chipReader !== undefined));

/** An address to return to, if it is one of the web. */
export const returnAddress = ({ returnUrl }: Session): string | undefined =>
  returnUrl && /^https?:\/\//.test(returnUrl) ? returnUrl : undefined;

const DEVICE = 'assay.device';

/** What tells this device from others: made at random once, for all tabs. */
export const deviceId = (): string => {
  const known = browserStore.getItem(DEVICE);
  if (known) return known;
  const made = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  browserStore.setItem(DEVICE, made);
  return made;
};

const BEGUN = 'assay.begun';

/**
 * The check that this device agreed to: whoever opens its link here again, in another tab or after
 * this one was closed, goes on with it.
 */
export const rememberBegun = (identityId: string): void => browserStore.setItem(BEGUN, identityId);
export const forgetBegun = (): void => browserStore.removeItem(BEGUN);
export const hasBegun = (identityId: string): boolean => browserStore.getItem(BEGUN) === identityId;
