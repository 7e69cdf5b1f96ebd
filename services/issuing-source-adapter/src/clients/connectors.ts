import type { Clock } from '@assay/runtime';
import { AUSTRALIA } from '../domain/scope/australia.ts';
import { UNITED_STATES } from '../domain/scope/united-states.ts';
import type { Source } from '../domain/source.ts';
import type { Connector } from './connector.ts';
import { createCredentials } from './credentials.ts';
import { createDldvConnector } from './dldv/connector.ts';
import { createDvsConnector } from './dvs/connector.ts';
import { createExchange } from './exchange.ts';

export interface ConnectorOptions {
  dvsUrl?: string | undefined;
  aamvaUrl?: string | undefined;
  aamvaAuthenticationUrl?: string | undefined;
  credentials: unknown;
  now: Clock;
}

export interface Sources {
  sources: Source[];
  connectors: ReadonlyMap<string, Connector>;
}

/** The sources that have an address, each with the connector that speaks its protocol. */
export const openSources = (options: ConnectorOptions): Sources => {
  const exchange = createExchange();
  const credentials = createCredentials(options.credentials);
  const { dvsUrl, aamvaUrl, aamvaAuthenticationUrl: authenticateUrl, now: clock } = options;
  const known: [Source, Connector][] = [];
  if (dvsUrl)
    known.push([AUSTRALIA, createDvsConnector({ url: dvsUrl, source: AUSTRALIA.name, exchange, credentials })]);
  if (aamvaUrl) {
    const common = { source: UNITED_STATES.name, exchange, credentials, clock };
    const connector = createDldvConnector({
      url: aamvaUrl,
      ...(authenticateUrl ? { authenticateUrl } : {}),
      ...common,
    });
    known.push([UNITED_STATES, connector]);
  }
  return {
    sources: known.map(([source]) => source),
    connectors: new Map(known.map(([{ name }, connector]) => [name, connector])),
  };
};
