import type { OtpStatus } from '@assay/contracts';

export type Channel = 'EMAIL' | 'MOBILE';

/** A one-time code on its way or waited for. Of the code itself only a keyed hash is kept. */
export interface OneTimeCode {
  codeId: string;
  status: OtpStatus;
  creationTime: string;
  expiresAt: Date;
  /** Seconds the code is good for. */
  timeout: number;
  hash: string;
  attemptsLeft: number;
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
