const WEIGHTS = [7, 3, 1];

/** The check digit of a field of a machine-readable zone (ICAO 9303-3, 4.9). A filler is zero. */
export const checkDigit = (field: string): string =>
  String(
    [...field].reduce(
      (sum, character, index) => sum + (character === '<' ? 0 : Number.parseInt(character, 36)) * WEIGHTS[index % 3]!,
      0,
    ) % 10,
  );
