import { nameOfIndicator, statusOfIndicator } from '@assay/contracts';
import { indicatorWords } from '@assay/contracts/words';

const STATUS_WORDS: Readonly<Record<string, string>> = {
  OK: 'passed',
  VERIFIED: 'confirmed by the issuer',
  WARNING: 'gave a warning',
  FAILED: 'failed',
  UNVERIFIED: 'was not decided',
};

/** An indicator and what it says, in words: "Machine-readable zone checksums passed". */
export const findingWords = (indicator: string): string =>
  `${indicatorWords(nameOfIndicator(indicator))} ${STATUS_WORDS[statusOfIndicator(indicator) ?? ''] ?? ''}`.trim();
