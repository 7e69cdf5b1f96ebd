/** What tests share: the stack, waiting for conditions, given/when/then. */
export { quietLog } from './quiet.ts';
export { specification } from './specification.ts';
export { testStack } from './stack.ts';
export { waitFor } from './wait.ts';
