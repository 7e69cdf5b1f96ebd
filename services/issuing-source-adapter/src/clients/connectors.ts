import type { Clock } from '@assay/runtime';
import type { MappedSource } from '../domain/mapping.ts';
import { AUSTRALIA } from '../domain/scope/australia.ts';
import { UNITED_STATES } from '../domain/scope/united-states.ts';
import type { Source } from '../domain/source.ts';
import type { Connector } from './connector.ts';
import { createCredentials } from './credentials.ts';
import { createDldvConnector } from './dldv/connector.ts';
import { createDvsConnector } from './dvs/connector.ts';
import { createExchange } from './exchange.ts';
import { createMappedConnector } from './mapped/connector.ts';

export interface ConnectorOptions {
  dvsUrl?: string | undefined;
  aamvaUrl?: string | undefined;
  aamvaAuthenticationUrl?: string | undefined;
  credentials: unknown;
  /** Further sources, each from its mapping file. */
  mapped?: readonly MappedSource[];
  now: Clock;
}

export interface Sources {
  sources: Source[];
  connectors: ReadonlyMap<string, Connector>;
}

/**
 * The sources that can be asked: those with an address, and those of the mapping files, each with
 * the connector that speaks its protocol.
 */
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
  for (const source of options.mapped ?? [])
    known.push([source, createMappedConnector({ source, exchange, credentials })]);
  return {
    sources: known.map(([source]) => source),
    connectors: new Map(known.map(([{ name }, connector]) => [name, connector])),
  };
};
