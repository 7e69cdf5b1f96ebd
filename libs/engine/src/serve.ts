import type { OnPortrait } from './engine.ts';
import type { Jobs } from './jobs.ts';
import { onlyOwnFormats } from './own-formats.ts';
import type { EngineRequest, HostMessage } from './protocol.ts';

/** Answers one request. It may report the portrait of a document before the rest is known. */
export type Answer<Request = EngineRequest> = (request: Request, onPortrait: OnPortrait) => Promise<unknown>;

const send = (message: HostMessage): void => {
  process.send?.(message);
};

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown');
const residentMb = (): number => process.memoryUsage.rss() / 1_048_576;

/**
 * Makes this process an engine process: it prepares, says `ready`, then answers one request after
 * the other. It ends when its parent has ended; otherwise only the parent ends it.
 */
export async function serve<Request>(prepare: () => Promise<Answer<Request>>): Promise<void> {
  onlyOwnFormats();
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group. The parent ends its processes itself, after their jobs.
  process.on('SIGINT', () => undefined);
  try {
    const answer = await prepare();
    process.on('message', (request: Request) => {
      answer(request, (portrait) => send({ kind: 'portrait', portrait }))
        .then((result) => send({ kind: 'answer', answer: result, residentMb: residentMb() }))
        .catch((error: unknown) => send({ kind: 'fault', message: messageOf(error), residentMb: residentMb() }));
    });
    send({ kind: 'ready' });
  } catch (error) {
    send({ kind: 'unfit', message: messageOf(error) });
    process.disconnect();
  }
}

/** Answers requests with these jobs. */
export const answerWith =
  (jobs: Jobs): Answer =>
  async (request, onPortrait) => {
    switch (request.kind) {
      case 'document':
        return jobs.document(request.job, onPortrait);
      case 'portrait':
        return jobs.portrait(request.job);
      case 'compare':
        return jobs.compare(request.a, request.b);
    }
  };
