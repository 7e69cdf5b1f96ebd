/** What the client declared about its capture (endpoint 3); all optional. */
export interface DocumentHints {
  documentType?: string;
  /** ISO 3166-1 alpha-3. */
  jurisdiction?: string;
  source?: string;
}
