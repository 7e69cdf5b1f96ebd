import axios from 'axios';
import { UnusableInput } from '../proof/report.ts';

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
 * The alerts that this Prometheus does not know. @throws UnusableInput when it does not answer like
 * one
 */
export const missingAlerts = async (prometheus: string): Promise<string[]> => {
  const url = `${prometheus.replace(/\/$/, '')}/api/v1/rules?type=alert`;
  const { data } = await axios.get<Rules>(url, { proxy: false, timeout: 10_000 }).catch((error: { code?: string }) => {
    throw new UnusableInput(`${prometheus} does not answer: ${error.code ?? 'error'}`);
  });
  const groups = data?.data?.groups;
  if (!Array.isArray(groups)) throw new UnusableInput(`${prometheus} does not answer like a Prometheus`);
  const known = new Set(groups.flatMap(({ rules = [] }) => rules.map(({ name }) => name)));
  return ALERTS.filter((name) => !known.has(name));
};
