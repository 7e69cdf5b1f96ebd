/** The six services, as tokens name their issuer and their audience. */
export const SERVICE_NAMES = [
  'gateway',
  'evidence-intake',
  'verification-worker',
  'issuing-source-adapter',
  'proof-builder',
  'notifier',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
