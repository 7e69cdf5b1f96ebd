import type { DocumentText } from '@assay/contracts';
import { listen } from '@assay/http';
import { createAamva } from '../../../../tools/simulators/src/aamva/app.ts';
import { createDvs } from '../../../../tools/simulators/src/dvs/app.ts';
import { createBook } from '../../../../tools/simulators/src/source/book.ts';

const nothing = (): void => undefined;
const quietLog = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing };

/** How a test sets up and inspects simulated sources. */
export const simulatorsAt = (urls: { dvs: string; aamva: string }) => {
  const put = (url: string, path: string, body: unknown) =>
    fetch(`${url}/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    urls,
    record: (source: keyof typeof urls, document: unknown) => put(urls[source], 'records', document),
    behave: (source: keyof typeof urls, behaviour: unknown) => put(urls[source], 'behaviour', behaviour),
    counts: async (source: keyof typeof urls) =>
      (await (await fetch(`${urls[source]}/requests`)).json()) as { count: number; byDocument: Record<string, number> },
  };
};

/** The simulated sources in this process, each on a port of its own. */
export const startSimulators = async () => {
  const dvs = await listen(createDvs({ book: createBook(), log: quietLog }), { port: 0 });
  const aamva = await listen(createAamva({ book: createBook(), log: quietLog }), { port: 0 });
  return {
    ...simulatorsAt({ dvs: `http://127.0.0.1:${dvs.port}`, aamva: `http://127.0.0.1:${aamva.port}` }),
    close: async () => {
      for (const { server, close } of [dvs, aamva]) {
        const closed = close();
        server.closeAllConnections();
        await closed;
      }
    },
  };
};
export type Simulators = Awaited<ReturnType<typeof startSimulators>>;

export const credentials = {
  default: { DVS: { agencyCode: 'T', apiKey: 'k' }, AAMVA_DLDV: { originatorId: 'T' } },
};

type Text = DocumentText & { address?: NonNullable<DocumentText['address']> };

/** A licence as text. `more` replaces its members. */
export const aLicence = (country: 'USA' | 'AUS', state: string, more: Partial<Text> = {}): DocumentText => ({
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: `${Math.floor(Math.random() * 9e7) + 1e7}`,
  issuingCountry: country,
  issuingState: state,
  expiryDate: '2031-05-14',
  personalAttributes: {
    dateOfBirth: { value: '1985-02-03' },
    givenNames: [{ value: 'Maria' }, { value: 'Luz' }],
    surname: { value: 'Keller' },
    gender: { value: 'F' },
  },
  ...more,
});
