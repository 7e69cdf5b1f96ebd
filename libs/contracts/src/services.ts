/** The six services, by the names that tokens give as issuer and audience. */
export const SERVICE_NAMES = [
  'gateway',
  'evidence-intake',
  'verification-worker',
  'issuing-source-adapter',
  'proof-builder',
  'notifier',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
