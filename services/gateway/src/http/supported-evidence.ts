import { ISO_COUNTRIES } from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import { Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import { isSupported, scopeOf } from '../domain/supported-evidence.ts';
import { param } from './call.ts';
import { type Route, route } from './route.ts';

const ScopeSchema = Type.Object({
  iso3CountryCode: Type.String(),
  documents: Type.Array(
    Type.Object({
      documentType: Type.String(),
      format: Type.String({ description: 'Of ISO/IEC 7810: ID1 or ID3' }),
      liveVideoCaptureSupported: Type.Boolean(),
    }),
  ),
});

/** Kosovo has a code of ICAO 9303 and none of ISO 3166-1. */
const ALL = [...ISO_COUNTRIES, 'RKS'].filter(isSupported).sort();

/** Which documents of which country can be submitted (specification, Further endpoints). */
export const supportedEvidenceRoutes = (): Route[] => [
  route({
    id: 'listSupportedEvidence',
    method: 'get',
    path: '/supported-evidence/countries',
    summary: 'Documents that can be submitted, by country',
    tag: 'Supported evidence',
    roles: ROLES.CLIENTS,
    reply: { description: 'Every country', schema: Type.Array(ScopeSchema) },
    errors: [],
    handle: () => ok(ALL.map(scopeOf)),
  }),
  route({
    id: 'getSupportedEvidence',
    method: 'get',
    path: '/supported-evidence/countries/{iso3CountryCode}',
    summary: 'Documents of one country that can be submitted',
    tag: 'Supported evidence',
    roles: ROLES.CLIENTS,
    reply: { description: 'The country', schema: ScopeSchema },
    errors: [],
    handle: (call) => {
      const code = param(call, 'iso3CountryCode').toUpperCase();
      if (!ALL.includes(code)) throw new ApiError('NOT_FOUND');
      return ok(scopeOf(code));
    },
  }),
];
