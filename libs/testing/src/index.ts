/** Shared by tests: the stack, waiting for conditions, a webhook receiver, the suite under test. */

export { PASSPORT, readPassport, simulatedChip } from './chip-reader.ts';
export { countIdle, openCostRounds, processorMsOfEach, settledIdle } from './cost-steps.ts';
export { type Counts, countsOf, readProcessorMs, type Tally, totalOf } from './counts.ts';
export { ENDLESS_PEERS, type EndlessPeer, startEndlessPeer } from './endless-peers.ts';
export { testKeys } from './keys.ts';
export { licenceText } from './licence.ts';
export { loseReply } from './lost-reply.ts';
export { residentMb } from './memory.ts';
export { motoServer } from './moto.ts';
export { type OwnSuite, onSharedEngines, startOwnSuite } from './own-suite.ts';
export { startProxy, type TcpProxy } from './proxy.ts';
export { quietLog } from './quiet.ts';
export { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from './receiver.ts';
export { testStack } from './stack.ts';
export { startStutteringPeer } from './stuttering-peer.ts';
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
