import { listOf } from '@assay/runtime';

/** First segments of other paths of the gateway. */
const TAKEN = ['.well-known', 'admin', 'capture', 'console', 'docs', 'operator', 'schemas', 'sign-in', 'specimens'];
/**
 * The first segments of the API's paths, as a list. One with a slash would be served where no
 * client asks.
 */
export const segments = listOf(
  (item) => /^[\w.~-]+$/.test(item) && !TAKEN.includes(item.toLowerCase()),
  `path segment such as svc, beside ${TAKEN.join(', ')}`,
);
