import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import type { Engine, EngineOptions, StartEngine } from './engine.ts';
import { waitUntil } from './wait.ts';
import { unwatch, watch } from './watcher.ts';

/** Loaded only where a daemon answers: it is large, and most machines do not need it. */
const load = () => import('testcontainers');

/** Whether Docker can give us an image, and the reason in words. */
export interface DockerImage {
  readonly usable: boolean;
  readonly why: string;
}

const socketPath = (env: NodeJS.ProcessEnv): string | undefined => {
  const host = env.DOCKER_HOST ?? 'unix:///var/run/docker.sock';
  return host.startsWith('unix://') ? host.slice('unix://'.length) : undefined;
};

/** Whether a daemon answers within a second. */
const answers = (env: NodeJS.ProcessEnv): Promise<boolean> =>
  new Promise((resolve) => {
    const path = socketPath(env);
    const tcp = path ? undefined : new URL((env.DOCKER_HOST ?? '').replace(/^tcp:/, 'http:'));
    const target = path ? { socketPath: path } : { host: tcp?.hostname, port: tcp?.port };
    const ping = request({ ...target, path: '/_ping', timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('error', () => resolve(false));
    ping.on('timeout', () => ping.destroy());
    ping.end();
  });

/** Looks for a daemon and an image, and pulls the image when it is not there. */
export const dockerImage = async (image: string): Promise<DockerImage> => {
  if (!(await answers(process.env))) return { usable: false, why: 'no Docker daemon answers' };
  const { getContainerRuntimeClient, ImageName } = await load();
  const { image: images } = await getContainerRuntimeClient();
  const name = ImageName.fromString(image);
  if (await images.exists(name)) return { usable: true, why: 'its daemon answers and the image is there' };
  try {
    await images.pull(name);
    return { usable: true, why: 'its daemon answers and the image could be pulled' };
  } catch (error) {
    return {
      usable: false,
      why: `the image ${image} is not there and cannot be pulled (${String(error).slice(0, 120)})`,
    };
  }
};

/** A container whose ports are bound on the loopback address only. */
const loopbackContainer = async (image: string): Promise<GenericContainer> => {
  const { GenericContainer } = await load();
  class LoopbackContainer extends GenericContainer {
    protected override beforeContainerCreated(): Promise<void> {
      const bindings = (this.hostConfig.PortBindings ?? {}) as Record<string, { HostIp?: string; HostPort: string }[]>;
      for (const binding of Object.values(bindings).flat()) binding.HostIp = '127.0.0.1';
      return Promise.resolve();
    }
  }
  return new LoopbackContainer(image);
};

interface ContainerShape {
  readonly name: string;
  readonly port: number;
  readonly readyLine: string;
  readonly environment: Record<string, string>;
  readonly url: (port: number) => string;
}

type Containers = Awaited<ReturnType<Awaited<ReturnType<typeof load>>['getContainerRuntimeClient']>>['container'];

/**
 * Starts a container that ended; its process is reported as soon as it runs, which is seconds
 * before it is ready.
 */
const startAgain = async (
  containers: Containers,
  before: StartedTestContainer,
  onSpawn: (pid: number) => void,
): Promise<void> => {
  const ready = before.restart({ timeout: 0 });
  const runs = async (): Promise<boolean> => {
    const { State } = await containers.inspect(containers.getById(before.getId()));
    if (State.Running && process.platform === 'linux') onSpawn(State.Pid);
    return State.Running;
  };
  await Promise.all([ready, waitUntil(runs, { timeoutMs: 30_000 })]);
};

const startContainer = (image: string, shape: ContainerShape): StartEngine => {
  // A container that died is started again rather than made anew: its data are in it.
  const known = new Map<string, StartedTestContainer>();
  return async ({ dataDir, port, onSpawn }: EngineOptions): Promise<Engine> => {
    const name = `assay-${shape.name}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
    const { getContainerRuntimeClient, Wait } = await load();
    const { container: containers } = await getContainerRuntimeClient();
    const before = known.get(dataDir);
    const address = { kind: 'docker', url: shape.url(port) } as const;
    const spawned = (pid: number): void => onSpawn?.(pid, address);
    if (before) await startAgain(containers, before, spawned);
    else await containers.remove(containers.getById(name), { removeVolumes: true }).catch(() => undefined);
    const started =
      before ??
      (await (
        await loopbackContainer(image)
      )
        .withName(name)
        .withAutoCleanup(false)
        .withEnvironment(shape.environment)
        .withExposedPorts({ container: shape.port, host: port })
        .withWaitStrategy(Wait.forLogMessage(shape.readyLine))
        .withStartupTimeout(120_000)
        .start());
    known.set(dataDir, started);
    watch(`docker:${name}`);
    const container = containers.getById(started.getId());
    const { State } = await containers.inspect(container);
    if (process.platform === 'linux') spawned(State.Pid);
    return {
      ...address,
      ...(process.platform === 'linux' && { pid: State.Pid }),
      ended: container.wait().then(
        ({ StatusCode }: { StatusCode: number }) => `with code ${StatusCode}`,
        () => 'with its container',
      ),
      stop: async (graceMs = 10_000) => {
        known.delete(dataDir);
        await started.stop({ timeout: graceMs, remove: true, removeVolumes: true });
        unwatch(`docker:${name}`);
      },
    };
  };
};

/** A MongoDB in a container; its data live until it is stopped. */
export const startMongoContainer = (image: string): StartEngine =>
  startContainer(image, {
    name: 'mongo',
    port: 27_017,
    readyLine: 'Waiting for connections',
    environment: {},
    url: (port) => `mongodb://127.0.0.1:${port}/?directConnection=true`,
  });

/** A RabbitMQ in a container; its data live until it is stopped. */
export const startRabbitContainer = (image: string): StartEngine =>
  startContainer(image, {
    name: 'rabbitmq',
    port: 5_672,
    readyLine: 'Server startup complete',
    environment: { RABBITMQ_DEFAULT_USER: 'assay', RABBITMQ_DEFAULT_PASS: 'assay' },
    url: (port) => `amqp://assay:assay@127.0.0.1:${port}`,
  });
