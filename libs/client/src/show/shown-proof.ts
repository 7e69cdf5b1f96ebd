import type { Identity, Proof, VerificationAndEvaluationDetails } from '@assay/contracts';

/** What the page shows: the files as they were read, and images as data URLs by their id. */
export interface ShownProof {
  proof: Proof;
  identity: Identity;
  elements: VerificationAndEvaluationDetails[];
  images: Map<string, string>;
}
