/** What V8 writes as `.cpuprofile`, as far as it is read here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** A function with what it called: milliseconds of its own, and with everything it called. */
export interface Frame {
  readonly name: string;
  /** Where it is from: a package, a file of ours, `node`, or what V8 does by itself. */
  readonly place: string;
  readonly ownMs: number;
  readonly totalMs: number;
  readonly callees: readonly Frame[];
}

/** Waiting, and the recording itself. */
const NO_WORK = new Set(['(idle)', '(program)', 'dispatch v8']);

const placeOf = (url: string): string => {
  const packages = url.split('node_modules/');
  if (packages.length > 1) return /^(@[^/]+\/)?[^/]+/.exec(packages.at(-1)!)?.[0] ?? url;
  if (url.startsWith('node:')) return 'node';
  return /(?:libs|services|tools)\/[^/]+/.exec(url)?.[0] ?? (url ? url : 'v8');
};

/** The calls of a profile as a tree; what the process did while it waited is not in it. */
export const framesOf = ({ nodes, samples, timeDeltas }: Profile): Frame => {
  const own = new Map<number, number>();
  for (const [index, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const frameOf = (id: number): Frame => {
    const { callFrame, children = [] } = byId.get(id)!;
    const name = callFrame.functionName || `(line ${callFrame.lineNumber + 1})`;
    const callees = children.map(frameOf).filter(({ totalMs }) => totalMs > 0);
    const place = placeOf(callFrame.url);
    const isWork = !NO_WORK.has(name) && !NO_WORK.has(`${name} ${place}`);
    const ownMs = isWork ? Math.max(0, own.get(id) ?? 0) : 0;
    const totalMs = callees.reduce((sum, callee) => sum + callee.totalMs, ownMs);
    return { name, place, ownMs, totalMs, callees };
  };
  return frameOf(nodes[0]!.id);
};

/** Milliseconds of their own by a key, the most first. */
export const ownBy = (root: Frame, keyOf: (frame: Frame) => string): [key: string, ms: number][] => {
  const sums = new Map<string, number>();
  const visit = (frame: Frame): void => {
    sums.set(keyOf(frame), (sums.get(keyOf(frame)) ?? 0) + frame.ownMs);
    frame.callees.forEach(visit);
  };
  visit(root);
  return [...sums].sort(([, a], [, b]) => b - a);
};
