/**
 * Waits until a condition gives something other than undefined or false, asking again as soon as the answer is in.
 * @throws when it does not within `timeoutMs`, naming what was waited for
 */
export const waitFor = async <T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 10_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
};
