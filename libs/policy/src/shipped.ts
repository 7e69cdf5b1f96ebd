import standard from '../policies/default.json' with { type: 'json' };
import gpg45 from '../policies/gpg45.json' with { type: 'json' };
import nist from '../policies/nist-800-63a-4.json' with { type: 'json' };
import strict from '../policies/strict.json' with { type: 'json' };
import { type Policies, policiesOf } from './load.ts';

/** The policies that ship with the suite, checked against the schema when this is called. */
export const shippedPolicies = (): Policies => policiesOf([standard, strict, gpg45, nist]);
