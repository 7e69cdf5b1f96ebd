/**
 * A passport chip in software, and the authority that issues it: for tests, the simulator and the
 * examples. It is no real person's passport.
 */
export { type Authority, type AuthorityPlan, createAuthority, type Signer, type SignerPlan } from './authority.ts';
export { createChip, type SoftwareChip, signOver } from './chip.ts';
export { drawKey, type KeyKind, type KeyPair, type KeySource, keyPairOf, type SignatureForm } from './keys.ts';
export type { Passport } from './machine-lines.ts';
export { CHIP_FAULTS, type ChipFault, type ChipPlan } from './plan.ts';
export type { SignerNaming } from './signed-data.ts';
