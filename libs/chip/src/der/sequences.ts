import { beyondLimit } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { INDEFINITE, readHeader } from './read.ts';
import { TAG } from './write.ts';

/**
 * The sequences that a file has one after the other, unread. What follows one and is none stays
 * with it.
 */
export const sequencesOf = (file: Buffer): Buffer[] => {
  const found: Buffer[] = [];
  let at = 0;
  while (at < file.length) {
    if (found.length >= LIMITS.directoryEntries) throw beyondLimit(`more than ${LIMITS.directoryEntries} entries`);
    const { length, size } = readHeader(file, at, file.length);
    const end = length === INDEFINITE ? file.length : at + size + length;
    const next = file[end] === TAG.sequence ? end : file.length;
    found.push(file.subarray(at, next));
    at = next;
  }
  return found;
};
