import type { Rates } from './faults.ts';
import type { Result } from './run.ts';
import type { Scenario } from './scenario.ts';

/** Runs a seed with a scenario instead of the one that it draws. */
type Run = (seed: number, scenario: Scenario) => Promise<Pick<Result, 'findings'>>;

export interface Shrunk {
  seed: number;
  scenario: Scenario;
  findings: string[];
  /** The number of runs that it took. */
  runs: number;
}

const without = <T>(items: readonly T[], index: number): T[] => items.filter((_, n) => n !== index);

/** Parts of a scenario of which one at a time can be left out. */
const LISTS = [
  'adjudicated',
  'userAgents',
  'slowUploads',
  'chipReaders',
  'consenting',
  'keyHolders',
  'hookChanges',
  'doubled',
] as const satisfies readonly (keyof Scenario)[];

/** Every scenario that has one thing less, the largest reduction first. */
const smaller = (scenario: Scenario): Scenario[] => {
  const { clients, rates, faultsMs, brief, rotations } = scenario;
  const kinds = (Object.keys(rates) as (keyof Rates)[]).filter((kind) => rates[kind] > 0);
  return [
    ...(clients.length > 1 ? clients.map((_, n) => ({ ...scenario, clients: without(clients, n) })) : []),
    ...(brief ? [{ ...scenario, brief: undefined }] : []),
    ...(brief && brief.clients.length > 1
      ? brief.clients.map((_, n) => ({ ...scenario, brief: { ...brief, clients: without(brief.clients, n) } }))
      : []),
    ...(rotations.length > 0 ? [{ ...scenario, rotations: [] }] : []),
    ...LISTS.flatMap((list) =>
      scenario[list].map((_, n) => ({ ...scenario, [list]: without<unknown>(scenario[list], n) })),
    ),
    ...kinds.map((kind) => ({ ...scenario, rates: { ...rates, [kind]: 0 } })),
    ...clients.flatMap((client, at) =>
      client.journey.steps.map((_, n) => {
        const journey = { ...client.journey, steps: without(client.journey.steps, n) };
        return { ...scenario, clients: clients.map((one, index) => (index === at ? { ...one, journey } : one)) };
      }),
    ),
    ...(faultsMs > 1000 ? [{ ...scenario, faultsMs: Math.floor(faultsMs / 2) }] : []),
  ];
};

/** A finding without the ids and numbers of its run. */
const kindOf = (finding: string): string =>
  finding
    .split('\n')[0]!
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
    .replaceAll(/\d+/g, ':n');

/**
 * Removes one thing after the other from a scenario that breaks a promise, as long as it still
 * breaks the same promise: a client, a kind of fault, a second process, a step, half of the time. A
 * smaller scenario draws other numbers, so each is tried with a few seeds.
 */
export const shrink = async (
  run: Run,
  { seed, scenario, findings }: Pick<Result, 'seed' | 'scenario' | 'findings'>,
  { tries = 3, mostRuns = 200 } = {},
): Promise<Shrunk> => {
  const wanted = new Set(findings.map(kindOf));
  let best: Shrunk = { seed, scenario, findings, runs: 0 };
  let runs = 0;
  const better = async (next: Scenario): Promise<Shrunk | undefined> => {
    for (let n = 0; n < tries && runs < mostRuns; n += 1) {
      runs += 1;
      const found = await run(best.seed + n, next);
      if (found.findings.some((finding) => wanted.has(kindOf(finding))))
        return { seed: best.seed + n, scenario: next, findings: found.findings, runs };
    }
    return undefined;
  };
  for (let isSmaller = true; isSmaller && runs < mostRuns; ) {
    isSmaller = false;
    for (const next of smaller(best.scenario)) {
      const found = await better(next);
      if (!found) continue;
      best = found;
      isSmaller = true;
      break;
    }
  }
  return { ...best, runs };
};

const LONGEST_LINE = 400;

const stepInWords = (step: Scenario['consenting'][number]['steps'][number]): string =>
  typeof step === 'string' ? step : `${step.change} ${step.type}`;

/** A scenario in words, with the option that repeats it. */
export const described = ({ seed, scenario, findings, runs }: Shrunk): string[] => {
  const { clients, rates, faultsMs, doubled, adjudicated, fourEyes, hookChanges } = scenario;
  const { userAgents, keyHolders, slowUploads, chipReaders, consenting, rotations } = scenario;
  const faults = Object.entries(rates).filter(([, rate]) => rate > 0);
  return [
    `smallest found in ${runs} runs, seed ${seed}: ${findings[0]?.slice(0, LONGEST_LINE)}`,
    ...clients.map(
      ({ afterMs, journey }) =>
        `  client after ${Math.round(afterMs)} ms: ${[...journey.steps, journey.end].join(', ')}`,
    ),
    ...adjudicated.map(
      ({ afterMs, pictures, end }) =>
        `  ${pictures} pictures for ${fourEyes ? 'two operators' : 'an operator'} after ${Math.round(afterMs)} ms: ${end}`,
    ),
    ...userAgents.map(
      ({ afterMs, steps, end }) => `  a session after ${Math.round(afterMs)} ms: ${[...steps, end].join(', ')}`,
    ),
    ...slowUploads.map(
      ({ afterMs, pictures, deletesAfterMs }) =>
        `  ${pictures} slow pictures after ${Math.round(afterMs)} ms${deletesAfterMs === undefined ? '' : `, deleted ${deletesAfterMs} ms later`}`,
    ),
    ...keyHolders.map(
      ({ afterMs, submissions }) => `  a new key after ${Math.round(afterMs)} ms: ${submissions.join(', ')}`,
    ),
    ...chipReaders.map(
      ({ afterMs, chips, end }) => `  chips after ${Math.round(afterMs)} ms: ${[...chips, end].join(', ')}`,
    ),
    ...consenting.map(
      ({ afterMs, steps, end }) =>
        `  consents after ${Math.round(afterMs)} ms: ${[...steps.map(stepInWords), end].join(', ')}`,
    ),
    ...(rotations.length > 0 ? [`  ${rotations.length} rotations of the master key`] : []),
    ...hookChanges.map(({ afterMs, how }) => `  the webhook ${how} after ${Math.round(afterMs)} ms`),
    `  faults for ${Math.round(faultsMs)} ms: ${faults.map(([kind, rate]) => `${kind} ${rate.toFixed(1)}`).join(', ') || 'none'}`,
    ...(doubled.length > 0 ? [`  two of ${doubled.join(', ')}`] : []),
    `  npm run simulate -- --from ${seed} --seeds 1 --trace --scenario '${JSON.stringify(scenario)}'`,
  ];
};
