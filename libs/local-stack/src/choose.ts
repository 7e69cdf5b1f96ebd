import { dockerImage } from './docker.ts';
import { forcedKind, type Say, type StartEngine, withoutCredentials } from './engine.ts';
import { startGiven } from './given.ts';

export interface Choice {
  name: string;
  /** The variable with the address of a server. */
  variable: string;
  image: string;
  inContainer: (image: string) => StartEngine;
  /** Where neither a server is given nor Docker is there. */
  onThisMachine: () => Promise<StartEngine>;
}

/**
 * Decides which server to use, with one line that says what and why: the one that is given, then
 * Docker, then what runs on this machine. `STACK` forces one.
 * @throws when the forced one, or any, is not possible
 */
export const choose = async (
  { name, variable, image, inContainer, onThisMachine }: Choice,
  say: Say,
  env: NodeJS.ProcessEnv,
): Promise<StartEngine> => {
  const forced = forcedKind(env);
  const given = env[variable];
  if (given && (!forced || forced === 'external')) {
    say(`${name}: the server at ${withoutCredentials(given)}, because ${variable} is set`);
    return startGiven(name, variable, given);
  }
  if (forced === 'external') throw new Error(`STACK=external needs ${variable}`);
  if (forced !== 'local') {
    const docker = await dockerImage(image);
    if (docker.usable) {
      say(`${name}: ${image} in Docker, because ${docker.why}`);
      return inContainer(image);
    }
    if (forced === 'docker') throw new Error(`STACK=docker: ${docker.why}`);
  }
  return onThisMachine();
};
