const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 150;

/**
 * Waits until a condition returns something other than undefined or false. The condition is checked
 * often at first and more seldom later, because the awaited work needs the processor too.
 * @throws after `timeoutMs`, naming `what`; a function says it then, so that it can tell what was
 * seen last
 */
export const waitFor = async <T>(
  what: string | (() => string),
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 30_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.3)) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline)
      throw new Error(`waited ${timeoutMs} ms for ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
