import type { Process, World } from '../world/world.ts';

/**
 * The way from a process to the broker and back. What is sent in one direction arrives in order,
 * until the line is cut.
 */
export interface Line {
  /** The process at this end. */
  owner: Process | undefined;
  /** Does something at the broker. */
  there(label: string, work: () => void): void;
  /** Does something in the process. */
  back(label: string, work: () => void): void;
  isCut(): boolean;
  /** Nothing arrives any more. Each end finds out by itself. */
  cut(): void;
  /** Called at the broker when it finds out that the line is cut. */
  onClosedThere(work: () => void): void;
  /** Called in the process when it finds out. */
  onClosedHere(work: () => void): void;
}

export const createLine = (world: World, process: Process | undefined, latencyMs: () => number): Line => {
  const handlers: { there: (() => void)[]; here: (() => void)[] } = { there: [], here: [] };
  const lastAt = { there: 0, here: 0 };
  let isCut = false;

  const carry = (way: 'there' | 'here', label: string, work: () => void): void => {
    if (isCut) return;
    lastAt[way] = Math.max(lastAt[way], world.now() + latencyMs());
    world.after(lastAt[way] - world.now(), way === 'here' ? process : undefined, label, () => {
      if (!isCut) work();
    });
  };
  const cut = (): void => {
    if (isCut) return;
    isCut = true;
    process?.onDeath.delete(cut);
    world.after(latencyMs(), undefined, 'line gone at the broker', () => {
      for (const close of handlers.there) close();
    });
    world.after(latencyMs(), process, 'line to the broker gone', () => {
      for (const close of handlers.here) close();
    });
  };
  process?.onDeath.add(cut);
  return {
    owner: process,
    there: (label, work) => carry('there', label, work),
    back: (label, work) => carry('here', label, work),
    isCut: () => isCut,
    cut,
    onClosedThere: (work) => void handlers.there.push(work),
    onClosedHere: (work) => void handlers.here.push(work),
  };
};
