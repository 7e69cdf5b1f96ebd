/** Sets up what is missing: the packages, the programs' bundles, the engines. */
export function setup(): Promise<void>;
