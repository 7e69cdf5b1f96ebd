import { present } from '@assay/contracts';
import type { Source } from './source.ts';

/**
 * What can be checked at which source: served to the gateway for its list of supported evidence.
 */
export interface Coverage {
  sources: { name: string; version: string; country: string }[];
  items: {
    source: string;
    country: string;
    documentType: string;
    modes: string[];
    /** Absent where the whole country is one jurisdiction. */
    jurisdictions?: { code: string; userCategories?: string[]; someCardsOnly?: boolean }[];
  }[];
}

export const coverageOf = (sources: readonly Source[]): Coverage => ({
  sources: sources.map(({ name, version, country }) => ({ name, version, country })),
  items: sources.flatMap(({ name, country, documents }) =>
    documents.map(({ type, modes, jurisdictions }) => ({
      source: name,
      country,
      documentType: type,
      modes,
      ...(jurisdictions
        ? {
            jurisdictions: Object.entries(jurisdictions).map(([code, { userCategories, someCardsOnly }]) => ({
              code,
              ...present({ userCategories }),
              ...(someCardsOnly ? { someCardsOnly } : {}),
            })),
          }
        : {}),
    })),
  ),
});
