/** Where the browser is. */
export const browserPath: () => string;
/** @throws with what to do when there is no browser and it cannot be installed */
export const ensureBrowser: (say?: (line: string) => void) => void;
