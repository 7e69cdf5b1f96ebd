import policy from '../../libs/policy/policies/default.json' with { type: 'json' };

const { blocking, mandatory } = policy.kinds.documentImage;

/**
 * What keeps a document with these indicators from VERIFIED under the default policy; specimens are
 * accepted here.
 */
export const blockers = (raised: readonly string[]): string[] => [
  ...blocking
    .map(({ indicator }) => indicator)
    .filter((name) => name !== 'DOC_SPECIMEN_FAILED' && raised.includes(name)),
  ...mandatory.filter(({ anyOf }) => !anyOf.some((name) => raised.includes(name))).map(({ rule }) => `no ${rule}`),
];
