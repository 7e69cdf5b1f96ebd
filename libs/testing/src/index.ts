/** What tests share: the stack, waiting for conditions, given/when/then, a webhook receiver, the suite under test. */
export { onSharedEngines, startOwnSuite } from './own-suite.ts';
export { quietLog } from './quiet.ts';
export { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from './receiver.ts';
export { specification } from './specification.ts';
export { testStack } from './stack.ts';
export {
  type Answer,
  type Api,
  apiWith,
  newIdentity,
  newTenant,
  readStack,
  type StackFile,
  specimen,
  type Tenant,
} from './suite.ts';
export { waitFor } from './wait.ts';
