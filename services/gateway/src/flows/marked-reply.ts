import { openJson, sealingContext, sealJson } from '@assay/sealing';
import type { Marker } from '../domain/identity.ts';
import type { Opened } from './access.ts';

const contextOf = ({ identity }: Opened): string => sealingContext(identity.tenantId, identity._id, 'reply');

/** The reply of an idempotent request as its marker has it: it may repeat what the client said. */
export const sealedReply = (opened: Opened, body: unknown): Omit<Marker, 'lockId'> => ({
  status: 200,
  sealedBody: sealJson(opened.dataKey, contextOf(opened), body),
});

/** The body of a reply in a marker. Former releases stored it in clear. */
export const bodyIn = (opened: Opened, { sealedBody, body }: Omit<Marker, 'lockId'>): unknown =>
  sealedBody === undefined ? body : openJson(opened.dataKey, contextOf(opened), sealedBody);
