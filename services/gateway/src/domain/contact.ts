import type { OtpStatus } from '@assay/contracts';

export type Channel = 'EMAIL' | 'MOBILE';

/** A one-time code that was requested. Only a keyed hash of the code is stored. */
export interface OneTimeCode {
  codeId: string;
  status: OtpStatus;
  creationTime: string;
  expiresAt: Date;
  /** How long the code is valid, in seconds. */
  timeout: number;
  hash: string;
  attemptsLeft: number;
  /** The same keyed hash of the answer that was counted last. */
  lastAnswer?: string;
}

/** A contact and its one-time code. Once verified it is an evidence, EMAIL or MOBILE_OTP. */
export interface Contact {
  evidenceId: string;
  channel: Channel;
  contactRevision: number;
  submitDateTime: string;
  sealedContact: string;
  verified: boolean;
  otp: OneTimeCode;
  /** Codes sent for it so far. */
  sent: number;
}
