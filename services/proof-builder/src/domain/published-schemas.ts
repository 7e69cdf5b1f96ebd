import { IdentitySchema, ProofElementsSchema, ProofSchema } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import { PROOF_VERSION } from './archive.ts';

const FILES = table<{ schema: object; title: string }>({
  'proof.schema.json': { schema: ProofSchema, title: 'proof.json' },
  'identityDetails.schema.json': { schema: IdentitySchema, title: 'identityDetails.json' },
  'verificationAndEvaluationDetails.schema.json': {
    schema: ProofElementsSchema,
    title: 'verificationAndEvaluationDetails.json',
  },
});

// Formats of our own validator, under the names other validators know.
const FORMAT = table<string | undefined>({
  'calendar-date': 'date',
  printable: undefined,
  shown: undefined,
  lines: undefined,
});

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([key, inner]): [string, unknown] =>
    key === 'format' && typeof inner === 'string' && inner in FORMAT ? [key, FORMAT[inner]] : [key, plain(inner)],
  );
  return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined));
};

/**
 * The JSON Schemas (2020-12) of the archive's three files by file name, made from the shapes the
 * service itself checks.
 */
export const publishedSchemas = (): Map<string, object> =>
  new Map(
    Object.entries(FILES).map(([name, { schema, title }]) => [
      name,
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: `${title}, proof format ${PROOF_VERSION}`,
        ...(plain(JSON.parse(JSON.stringify(schema))) as object),
      },
    ]),
  );
