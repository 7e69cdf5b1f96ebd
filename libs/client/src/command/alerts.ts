import axios from 'axios';
import { UnusableInput } from '../proof/report.ts';
import { isAddress } from './suite.ts';

/** The alerts of deploy/prometheus/alerts.yml; a test holds this list to that file. */
export const ALERTS = [
  'AssayServiceDown',
  'AssayOutboxStuck',
  'AssayDeadLetters',
  'AssayOutboxEntrySkipped',
  'AssayConsumerDeaf',
  'AssayConsumerProbing',
  'AssayBrokerBlocked',
  'AssaySweeperFailing',
  'AssayMessagesRetried',
  'AssayEvidenceSlow',
  'AssayEvidenceReissued',
  'AssayIssuingSourceDown',
  'AssayDeliveriesFailing',
  'AssayEndpointDisabled',
  'AssayErrorReplies',
  'AssayUncaughtException',
  'AssayCasesWaiting',
  'AssayEvidenceRefusedMore',
  'AssayKeyServiceAway',
  'AssayClockOff',
  'AssayIndexMissing',
  'AssayPolicySubstituted',
] as const;

interface Rules {
  data?: { groups?: { rules?: { name?: string }[] }[] };
}

/**
 * The alerts that this Prometheus does not know, or why it cannot say.
 * @throws UnusableInput when that is no address
 */
export const missingAlerts = async (prometheus: string): Promise<{ missing: string[] } | { failure: string }> => {
  if (!isAddress(prometheus))
    throw new UnusableInput(`--prometheus takes an address such as http://prometheus:9090, not '${prometheus}'`);
  const url = `${prometheus.replace(/\/$/, '')}/api/v1/rules?type=alert`;
  const answer = await axios
    .get<Rules | null>(url, { proxy: false, timeout: 10_000, validateStatus: () => true })
    .catch((error: { code?: string }) => error.code ?? 'error');
  if (typeof answer === 'string') return { failure: `${prometheus} does not answer: ${answer}` };
  const groups = answer.data?.data?.groups;
  if (!Array.isArray(groups)) return { failure: `${prometheus} does not answer like a Prometheus` };
  const known = new Set(groups.flatMap(({ rules = [] }) => rules.map(({ name }) => name)));
  return { missing: ALERTS.filter((name) => !known.has(name)) };
};
