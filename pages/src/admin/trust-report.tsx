import { serviceNow } from '../design/clock.ts';
import { Badge, Empty, Note, Table } from '../design/display.tsx';
import { get } from './api.ts';
import { Loaded, LongTable, useLoaded } from './loaded.tsx';
import { dayInWords } from './words.ts';

interface Source {
  source: string;
  certificates: number;
  signedAt?: string;
  /** The authority that the newest list rests on. */
  signedUnder?: { subject: string; sha256: string };
  old: boolean;
}

interface Report {
  countries: { country: string; certificates: number; valid: number; revocationListUntil?: string }[];
  sources: Source[];
  expiring: { subject: string; sha256: string; notAfter: string }[];
}

/** A revocation list whose next edition is due says nothing of certificates revoked since. */
const ListOf = ({ until }: { until: string | undefined }) => {
  if (until === undefined) return <>none</>;
  return Date.parse(until) < serviceNow() ? (
    <>
      <Badge tone="warn">overdue</Badge> since {dayInWords(until)}
    </>
  ) : (
    <>current until {dayInWords(until)}</>
  );
};

const Sources = ({ sources }: Pick<Report, 'sources'>) => (
  <Table
    caption="Where the authorities are from"
    columns={['Source', 'Authorities', 'Signed', 'Signed under']}
    rows={sources.map(({ source, certificates, signedAt, signedUnder, old }) => [
      source || 'not named',
      String(certificates),
      <>
        {signedAt ? dayInWords(signedAt) : 'no signed list'} {old && <Badge tone="warn">old</Badge>}
      </>,
      signedUnder ? (
        <>
          {signedUnder.subject}
          <br />
          SHA-256 <code>{signedUnder.sha256}</code>
        </>
      ) : (
        ''
      ),
    ])}
  />
);

const Countries = ({ countries }: Pick<Report, 'countries'>) => (
  <Table
    caption="Countries covered"
    columns={['Country', 'Authorities', 'Valid now', 'Revocation list']}
    rows={countries.map(({ country, certificates, valid, revocationListUntil }) => [
      country,
      String(certificates),
      String(valid),
      <ListOf key="list" until={revocationListUntil} />,
    ])}
  />
);

/** Whether the trust store is up to date: countries covered, lists grown old, what expires soon. */
export const TrustReport = () => {
  const report = useLoaded(() => get<Report>('/trust/report'), []);
  return (
    <Loaded state={report}>
      {({ countries, sources, expiring }) =>
        countries.length === 0 ? (
          <Empty>No authority is trusted yet, so no chip can be verified. Import a master list.</Empty>
        ) : (
          <>
            {sources.some(({ old }) => old) && (
              <Note tone="warn">
                A master list is older than 90 days: authorities that are new since are not trusted.
              </Note>
            )}
            <h2>Sources</h2>
            <Sources sources={sources} />
            <h2>Expire within 90 days</h2>
            {expiring.length === 0 ? (
              <Empty>None.</Empty>
            ) : (
              <LongTable
                caption="Authorities and signers that expire soon"
                columns={['Subject', 'Valid until']}
                rows={expiring.map(({ subject, notAfter }) => [subject, dayInWords(notAfter)])}
              />
            )}
            <h2>{countries.length === 1 ? '1 country' : `${countries.length} countries`}</h2>
            <Countries countries={countries} />
          </>
        )
      }
    </Loaded>
  );
};
