/** How an engine came to be there. */
export type EngineKind = 'external' | 'docker' | 'local' | 'embedded';

/** Where an engine is, or will be in a moment. */
export interface Address {
  readonly kind: EngineKind;
  readonly url: string;
  /**
   * The same for programs of the suite on this machine, where there is a shorter way than that for
   * everybody.
   */
  readonly nearUrl?: string;
}

/** A MongoDB or a RabbitMQ that accepts connections. */
export interface Engine extends Address {
  /** Process id on this machine, where the engine is ours to run. */
  readonly pid?: number;
  /** Resolves when the engine has ended, with a word on how; a given server only by `stop`. */
  readonly ended: Promise<string>;
  /** Ends it: asks first, forces after `graceMs` (0: at once). A given server goes on. */
  stop(graceMs?: number): Promise<void>;
}

export interface EngineOptions {
  /**
   * Folder that holds its data, configuration and log. A restart with the same folder and port
   * continues with the same data.
   */
  readonly dataDir: string;
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Two further ports on 127.0.0.1 for the broker's own use (distribution, name server). */
  readonly innerPorts?: readonly [number, number];
  /** Told the engine's process id and address as soon as it runs, which is before it is ready. */
  readonly onSpawn?: (pid: number, address: Address) => void;
}

/** Starts an engine of the kind that was chosen; can be called again after it ended. */
export type StartEngine = (options: EngineOptions) => Promise<Engine>;

/** Takes one log line. */
export type Say = (line: string) => void;

/** A server that somebody else runs: it goes on, and counts as ended for us once it is stopped. */
export const externalEngine = (url: string): Engine => {
  let end: (how: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const stop = (): Promise<void> => {
    end('for this suite');
    return Promise.resolve();
  };
  return { kind: 'external', url, ended, stop };
};

const forcedKinds = ['external', 'docker', 'local'] as const;
export type ForcedKind = (typeof forcedKinds)[number];

/**
 * What the variable `STACK` forces; undefined when it is not set.
 * @throws when it holds another word
 */
export const forcedKind = (env: NodeJS.ProcessEnv): ForcedKind | undefined => {
  if (!env.STACK) return undefined;
  const kind = forcedKinds.find((word) => word === env.STACK);
  if (!kind) throw new Error(`STACK is "${env.STACK}"; it takes ${forcedKinds.join(', ')}`);
  return kind;
};

/** An address without its credentials, for a log line. */
export const withoutCredentials = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');
