import { createRecent } from '@assay/runtime';
import type { Reading } from '../domain/medium.ts';

const EVIDENCES = 16;
const READINGS = 64;
const FOR_MS = 5000;
/** In place of readings that only the database knows. */
const UNKNOWN: readonly Reading[] = [];

/**
 * The readings that this process stored a moment ago, sealed as they are: the worker asks for them
 * at once, and once. Another process may have removed them since; then their key is destroyed, or
 * whoever asked will hear that the evidence is deleted.
 */
export const createRecentReadings = () => {
  const readingsOf = createRecent<readonly Reading[]>({ most: EVIDENCES, forMs: FOR_MS });
  const evidenceOf = createRecent<string>({ most: READINGS, forMs: FOR_MS });
  return {
    add: (readings: readonly Reading[]): void => {
      const evidenceId = readings[0]?.evidenceId;
      if (evidenceId === undefined) return;
      // Of several submissions of one session only the database knows which was accepted.
      readingsOf.set(evidenceId, readingsOf.get(evidenceId) ? UNKNOWN : readings);
      for (const { _id } of readings) evidenceOf.set(_id, evidenceId);
    },
    take: (identityId: string, evidenceId: string): Reading[] | undefined => {
      const readings = readingsOf.get(evidenceId) ?? UNKNOWN;
      if (readings.length === 0 || readings.some((reading) => reading.identityId !== identityId)) return undefined;
      readingsOf.set(evidenceId, UNKNOWN);
      return [...readings];
    },
    forget: (id: string): void => {
      const evidenceId = evidenceOf.get(id);
      if (evidenceId !== undefined) readingsOf.set(evidenceId, UNKNOWN);
    },
  };
};
