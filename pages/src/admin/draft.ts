import { createDrafts } from '../design/drafts.ts';
import { own } from './api.ts';
import { isSecret } from './settings-form.ts';

const ownerNow = (): string => {
  const { role, tenantId, name } = own() ?? {};
  return JSON.stringify([role, tenantId, name]);
};

/** What was typed into the settings of tenants, by path, and not saved yet. */
export type Texts = Readonly<Record<string, string>>;
export const drafts = createDrafts<Texts>('assay.settings', ownerNow);

/** Secrets are left out: no store of the browser may have them. */
export const storeDraft = (tenantId: string, texts: Texts): void => {
  const entries = Object.entries(texts).filter(([path]) => !isSecret(path));
  if (entries.length === 0) drafts.forget(tenantId);
  else drafts.store(tenantId, Object.fromEntries(entries));
};
