const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const BEGIN_VALUE = new Set([0x2c, 0x5b, 0x7b]);

/** Where a text ends that begins before `from`; the end of the bytes where it has none. */
const endOfText = (bytes: Buffer, from: number): number => {
  let end = bytes.indexOf(QUOTE, from);
  for (;;) {
    if (end < 0) return bytes.length;
    let escapes = 0;
    while (end - escapes > from && bytes[end - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = bytes.indexOf(QUOTE, end + 1);
  }
};

/**
 * How many values and members a JSON text has, at most, without parsing it: a few megabytes hold
 * millions, and each takes a hundred times its length in memory.
 */
export const countValues = (bytes: Buffer): number => {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (BEGIN_VALUE.has(byte)) count += 1;
  }
  return count;
};
