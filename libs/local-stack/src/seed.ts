import { randomBytes, randomUUID } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits; bytes that would favour some letters are thrown away. */
const letters = (count: number): string => {
  let text = '';
  while (text.length < count) {
    for (const byte of randomBytes(count)) if (byte < 248 && text.length < count) text += alphabet[byte % 62];
  }
  return text;
};

/** An API key: `asy_<role>_<id of 8>_<secret of 43>`, the secret worth 256 bits. */
export const newApiKey = (role: 'rs' | 'ua' | 'op' | 'ad'): string => `asy_${role}_${letters(8)}_${letters(43)}`;

export interface SeedTenant {
  readonly tenantId: string;
  readonly name: string;
  /** In the shape of the administration API's `settings`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly keys: { readonly RELYING_SERVICE: string; readonly USER_AGENT: string; readonly OPERATOR: string };
}

/**
 * What the gateway starts with on a development machine. The keys stand here in clear and nowhere
 * else.
 */
export interface Seed {
  readonly tenants: readonly [SeedTenant, SeedTenant];
  readonly administrator: string;
}

const tenant = (name: string, settings: SeedTenant['settings']): SeedTenant => ({
  tenantId: randomUUID(),
  name,
  settings,
  keys: { RELYING_SERVICE: newApiKey('rs'), USER_AGENT: newApiKey('ua'), OPERATOR: newApiKey('op') },
});

/**
 * The development tenant, with the issuing sources, and a second one with everything at its
 * defaults but the specimens.
 */
export const newSeed = (): Seed => ({
  tenants: [
    tenant('Development', { issuingSources: { enabled: true }, acceptSpecimens: true }),
    tenant('Second', { acceptSpecimens: true }),
  ],
  administrator: newApiKey('ad'),
});
