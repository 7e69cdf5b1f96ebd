/** What the reader app has to know to act for this device, and to come back. */
export interface ReaderTask {
  /** Address of the service. */
  suite: string;
  identityId: string;
  token: string;
  /** Sent as X-Device-Id: the app is this device. */
  device: string;
  /**
   * The Idempotency-Key under which the chip session was begun: the same call again gives its
   * challenge.
   */
  key: string;
  /** The photographed document whose data open the chip. */
  evidenceId?: string;
  /** Where to return to. */
  back: string;
}

/**
 * The address that opens the reader app; what it needs is in the fragment, which no server
 * sees.
 */
export const deepLink = (reader: string, task: ReaderTask): string =>
  `${reader.split('#')[0]}#${new URLSearchParams({ ...task }).toString()}`;
