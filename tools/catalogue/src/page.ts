import { shippedPolicies } from '@assay/policy';
import { lacking, reachOf } from './profiles.ts';
import { canCome, neverComing, type Row, rows } from './rows.ts';

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const table = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '---')).replaceAll(' ', ''), ...body.map(line)].join('\n');

const cells = ({ kind, name, meaning, raised, states, errs }: Row): string[] => [
  kind,
  name,
  meaning,
  raised,
  states,
  errs,
];

const policies = () => shippedPolicies().list();

const namedInVain = (): string => {
  const patterns = [...new Set(policies().flatMap(neverComing))].sort();
  return table(
    ['indicator', 'policies that name it'],
    patterns.map((pattern) => [
      pattern,
      policies()
        .filter((policy) => neverComing(policy).includes(pattern))
        .map(({ name }) => name)
        .join(', '),
    ]),
  );
};

const profiles = (): string =>
  table(
    ['policy', 'profile', 'level', 'can be met, or what it lacks'],
    policies().flatMap((policy) =>
      policy.profiles.map((profile) => {
        const missing = lacking(profile, reachOf(policy, canCome));
        return [
          policy.name,
          profile.name,
          profile.level,
          missing.length ? `lacks ${missing.join('; ')}` : 'can be met',
        ];
      }),
    ),
  );

/** docs/catalogue.md. */
export const page = (): string => `# Catalogue

Every indicator, error, operation, participant, evidence type and score level of the service in one table. \`npm run catalogue\` writes this page from the code and from \`tools/catalogue/src\`, which says what each means; a test holds
page, code and policies to each other. "How often it errs" repeats what [indicators.md](indicators.md) and [faces.md](faces.md) measured; the sets are described there.

${table(['kind', 'name', 'meaning', 'where it is raised', 'states', 'how often it errs'], rows().map(cells))}

## Named by a policy, never raised

Rules that name these change no result today: they are there so that a check that is made one day counts at once.

${namedInVain()}

## Profiles that cannot be met

Counted from the policies: which minima no evidence, portrait or source that exists here can reach. A profile that lacks nothing may still be out of reach of a person who has no such document.

${profiles()}
`;
