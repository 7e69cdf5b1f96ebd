import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { choose } from './choose.ts';
import { findProgram, run } from './command.ts';
import { startRabbitContainer } from './docker.ts';
import type { Say, StartEngine } from './engine.ts';
import { findRabbit, rabbitOnThisMachine } from './rabbit-local.ts';

/** Image of the container path. */
export const rabbitImage = 'rabbitmq:4-management';

const choices =
  'RabbitMQ is not there. Choose one: set AMQP_URL to a server; start Docker with the image ' +
  `${rabbitImage}; or install it (as root: apt-get install rabbitmq-server)`;

// Two set-ups may meet here, so the second waits and finds the work done.
const installScript = `
[ -x "$(command -v flock)" ] && exec 9>/tmp/assay-install.lock && flock 9
[ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] && exit 0
apt-get update -qq
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 rabbitmq-server
`;

const policyFile = '/usr/sbin/policy-rc.d';

/** Installs Debian's package; its own broker is not to be started by that. */
const install = async (): Promise<void> => {
  const withPolicy = !existsSync(policyFile);
  if (withPolicy) await writeFile(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await run('sh', ['-c', installScript], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  } finally {
    if (withPolicy) await rm(policyFile, { force: true });
  }
};

/**
 * The broker of this machine, installed when that is possible (root on Debian or Ubuntu).
 * @throws with the choices when it is not
 */
export const ensureRabbit = async (say: Say, env: NodeJS.ProcessEnv = process.env): Promise<string> => {
  const present = findRabbit(env);
  if (present) return present;
  if (process.getuid?.() !== 0 || !findProgram('apt-get', env)) throw new Error(choices);
  say('installing rabbitmq-server with apt, because there is no broker on this machine');
  await install();
  const installed = findRabbit(env);
  if (!installed) throw new Error(choices);
  return installed;
};

/**
 * Decides which RabbitMQ to use, with one line that says what and why: `AMQP_URL`, then Docker,
 * then the one on this machine (installed when possible). `STACK` forces one.
 * @throws when the forced one, or any, is not possible
 */
export const chooseRabbit = (say: Say): Promise<StartEngine> => {
  const { env } = process;
  const onThisMachine = async (): Promise<StartEngine> => {
    const program = await ensureRabbit(say, env);
    say(`RabbitMQ: a private node of ${program}, because neither a server is given nor Docker is there`);
    return rabbitOnThisMachine(program, env);
  };
  const inContainer = startRabbitContainer;
  return choose({ name: 'RabbitMQ', variable: 'AMQP_URL', image: rabbitImage, inContainer, onThisMachine }, say, env);
};
