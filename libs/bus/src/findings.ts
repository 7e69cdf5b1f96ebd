import { brokerAddressesOf } from '@assay/contracts';
import type { ProcessFinding } from '@assay/runtime';
import { connect } from 'amqplib';

const PROBE_MS = 3000;
const REFUSED = /ACCESS[-_]REFUSED|403/;

const withGuest = (url: string): string => {
  const address = new URL(brokerAddressesOf(url)[0] ?? url);
  address.username = 'guest';
  address.password = 'guest';
  return address.toString();
};

/** Whether the broker still admits the user it is shipped with. */
export const examineBroker = async (url: string): Promise<ProcessFinding[]> => {
  const check = 'broker-default-user';
  const probe = connect(withGuest(url), { timeout: PROBE_MS, clientProperties: { connection_name: 'doctor' } });
  return probe.then(
    async (connection): Promise<ProcessFinding[]> => {
      connection.on('error', () => undefined);
      await connection.close();
      return [{ check, status: 'PROBLEM', message: 'the broker admits guest with the password guest' }];
    },
    (error: unknown): ProcessFinding[] =>
      REFUSED.test(String(error))
        ? [{ check, status: 'OK', message: 'the broker refuses guest' }]
        : [{ check, status: 'UNKNOWN', message: 'the broker could not be asked' }],
  );
};
