import type { DoctorReply } from '@assay/contracts/doctor';
import { plainWords } from '@assay/contracts/words';
import { Button } from '../design/controls.tsx';
import { Badge, Empty, Table, type Tone } from '../design/display.tsx';
import { get } from './api.ts';
import { Loaded, useLoaded } from './loaded.tsx';
import { timeInWords } from './words.ts';

type Finding = DoctorReply['findings'][number];

/** From severe to harmless. */
const STATUSES: Readonly<Record<Finding['status'], readonly [tone: Tone | undefined, words: string]>> = {
  PROBLEM: ['bad', 'problem'],
  WARNING: ['warn', 'warning'],
  UNKNOWN: [undefined, 'not known'],
  OK: ['good', 'good'],
};

const StatusOf = ({ status }: Pick<Finding, 'status'>) => {
  const [tone, words] = STATUSES[status];
  return <Badge tone={tone}>{words}</Badge>;
};

const SEVERITY = Object.keys(STATUSES);
const gravestFirst = (a: Finding, b: Finding): number => SEVERITY.indexOf(a.status) - SEVERITY.indexOf(b.status);

const Findings = ({ findings }: { findings: readonly Finding[] }) => {
  const open = findings.filter(({ status }) => status !== 'OK').toSorted(gravestFirst);
  if (open.length === 0) return <Empty>All {findings.length} checks are good.</Empty>;
  return (
    <Table
      caption="What keeps the suite from being fit for production, the gravest first"
      columns={['Check', 'Where', 'State', 'Why']}
      rows={open.map(({ check, where, status, message }) => [
        plainWords(check.replaceAll('-', '_')),
        where,
        <StatusOf key="status" status={status} />,
        message,
      ])}
    />
  );
};

/** What keeps the suite from being fit for production, as its services say it now. */
export const Checks = () => {
  const checks = useLoaded(() => get<DoctorReply>('/doctor'), []);
  return (
    <>
      <p class="help">Findings name settings and ids, never a secret. docs/production.md explains each.</p>
      <Loaded state={checks}>
        {({ at, findings }) => (
          <>
            <p class="bar beside">
              <Button onClick={checks.again}>Check again</Button>
              <span class="help">
                {findings.length} checks at {timeInWords(at)}
              </span>
            </p>
            <Findings findings={findings} />
          </>
        )}
      </Loaded>
    </>
  );
};
