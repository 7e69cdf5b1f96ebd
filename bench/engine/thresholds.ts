import { shippedPolicies } from '@assay/policy';

/** Which distance of two faces means what, by the default policy. */
export const FACES = shippedPolicies().named('default')!.faces;
