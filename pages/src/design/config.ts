/** What the gateway tells a page before anybody signs in. */
export interface PagesConfig {
  /** First path segment of the API. */
  prefix: string;
  version: string;
  /** What the button of the sign-in by OpenID Connect says; absent where there are only keys. */
  signIn?: string;
  /** Which pages are served. */
  pages: string[];
  /** A development stack's own addresses; `keys` only on the machine itself. */
  local?: {
    mailcatcher?: string;
    simulators?: Record<string, string>;
    specimens: string[];
    tenantId?: string;
    keys?: Record<string, string>;
    logDir?: string;
  };
}

const unreachable = (): never => {
  throw new Error('The service does not answer.');
};

export const loadConfig = async (): Promise<PagesConfig> => {
  const response = await fetch('/pages-config.json').catch(unreachable);
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return (await response.json()) as PagesConfig;
};
