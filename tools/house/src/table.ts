import { cyclesOf, type Edge, flowLengths } from './graph.ts';
import type { Counts, Measured } from './measure.ts';
import type { Breach } from './rules.ts';

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const spread = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), p90: at(sorted, 0.9), p95: at(sorted, 0.95), max: at(sorted, 1) };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const linesOf = (files: readonly Measured[]): number => sum(files.map(({ lines }) => lines.length));
const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const COUNTS = ['classes', 'tries', 'anys', 'casts', 'nonNulls', 'ignores'] as const;

/** The figures of one set of files; `tests` are those that go with it. */
const figuresOf = (src: readonly Measured[], tests: readonly Measured[]) => {
  const loc = linesOf(src);
  const total = (count: keyof Counts): number => sum(src.map(({ counts }) => counts[count]));
  const perKloc = Object.fromEntries(COUNTS.map((count) => [count, round((1000 * total(count)) / loc, 2)]));
  return {
    files: src.length,
    loc,
    fileLines: spread(src.map(({ lines }) => lines.length)),
    functionLines: spread(src.flatMap(({ functions }) => functions.map(({ lines }) => lines))),
    commentPercent: round((100 * total('commentLines')) / loc, 1),
    longCommentLines: total('longCommentLines'),
    perKloc: perKloc as Record<(typeof COUNTS)[number], number>,
    conditionalSpreads: total('conditionalSpreads'),
    testLoc: linesOf(tests),
    testRatio: round(linesOf(tests) / loc, 2),
  };
};

const WINDOW = 8;

/**
 * Lines of production code that stand in more than one place, in runs of eight or more that are not
 * imports.
 */
const duplicateLines = (files: readonly Measured[]): number => {
  const seen = new Map<string, string[]>();
  for (const { path, lines } of files) {
    const code = lines
      .map((line, index) => ({ text: line.trim(), place: `${path}:${index}` }))
      .filter(({ text }) => text.length > 1 && !/^(import|\/\/|\/?\*|[})\];,]+$)/.test(text));
    code.slice(WINDOW - 1).forEach((_, start) => {
      const run = code.slice(start, start + WINDOW);
      const text = run.map((line) => line.text).join('\n');
      if (/^(\w+,\n?|type \w+,\n?)+$/.test(text)) return;
      seen.set(text, [...(seen.get(text) ?? []), ...run.map(({ place }) => place)]);
    });
  }
  return new Set([...seen.values()].filter((places) => places.length > WINDOW).flat()).size;
};

export const reportOf = (files: readonly Measured[], edges: readonly Edge[], breaches: readonly Breach[]) => {
  const src = files.filter(({ kind }) => kind === 'src');
  const tests = files.filter(({ kind }) => kind === 'test');
  const homes = [...new Set(src.map(({ home }) => home))].sort();
  const breachesOf = (rule: RegExp): number => breaches.filter((one) => rule.test(one.rule)).length;
  return {
    all: figuresOf(src, tests),
    homes: homes.map((home) => ({
      home,
      ...figuresOf(
        src.filter((file) => file.home === home),
        tests.filter((file) => file.home === home),
      ),
    })),
    cycles: { value: cyclesOf(edges.filter(({ typeOnly }) => !typeOnly)).length, withTypes: cyclesOf(edges).length },
    imports: {
      serviceToService: breachesOf(/no other service/),
      libsBenchToolsToService: breachesOf(/no service/),
      acrossRooms: breachesOf(/^a room/),
      testOnlyFromSrc: breachesOf(/^only tests/),
    },
    atServiceRoots: breachesOf(/^at the root/),
    flowLengths: spread(
      flowLengths(
        edges,
        src.map(({ path }) => path),
      ),
    ),
    longFunctions: breaches.filter(({ rule }) => /^no function/.test(rule)).map(({ detail }) => detail),
    unusedFiles: breachesOf(/^no file that/),
    unusedExports: breachesOf(/^no export/),
    undeclaredOrDeadDependencies: breachesOf(/^every package/),
    duplicateLines: duplicateLines(src),
  };
};

export type Report = ReturnType<typeof reportOf>;
type Figures = Omit<Report['homes'][number], 'home'>;

const row = (name: string, one: Figures): string => {
  const { fileLines: file, functionLines: fn, perKloc } = one;
  const cells = [
    name,
    `${one.files} / ${one.loc}`,
    `${file.median} / ${file.p90} / ${file.p95} / ${file.max}`,
    `${fn.median} / ${fn.p90} / ${fn.p95} / ${fn.max}`,
    one.commentPercent,
    `${perKloc.classes}, ${perKloc.tries}, ${perKloc.anys}`,
    `${perKloc.casts}, ${perKloc.nonNulls}, ${perKloc.ignores}`,
    one.conditionalSpreads,
    one.longCommentLines,
    one.testRatio,
  ];
  return `| ${cells.join(' | ')} |`;
};

/** The report as Markdown. */
export const printed = (report: Report): string => {
  const { flowLengths: flow } = report;
  return [
    '| set | files / lines | file median / p90 / p95 / max | function median / p90 / p95 / max | comment % | class, try, any /kloc | as, !, ignores /kloc | conditional spreads | comment lines > 100 | test:src |',
    '|---|---|---|---|---|---|---|---|---|---|',
    row('**all**', report.all),
    ...report.homes.map(({ home, ...figures }) => row(home, figures)),
    '',
    '| measure | value |',
    '|---|---|',
    `| import cycles (of values; also of types) | ${report.cycles.value}; ${report.cycles.withTypes} |`,
    `| imports service -> service | ${report.imports.serviceToService} |`,
    `| imports libs, bench, tools -> service | ${report.imports.libsBenchToolsToService} |`,
    `| imports against the order of rooms | ${report.imports.acrossRooms} |`,
    `| imports of test support by production code | ${report.imports.testOnlyFromSrc} |`,
    `| files at the root of a service that belong in a room | ${report.atServiceRoots} |`,
    `| files of its service that a route or consumer crosses (median / p90 / max) | ${flow.median} / ${flow.p90} / ${flow.max} |`,
    `| functions over 60 lines | ${report.longFunctions.length} |`,
    `| unused files; exports | ${report.unusedFiles}; ${report.unusedExports} |`,
    `| dependencies unused or not declared | ${report.undeclaredOrDeadDependencies} |`,
    `| lines that stand twice (runs of 8 and more) | ${report.duplicateLines} |`,
  ].join('\n');
};
