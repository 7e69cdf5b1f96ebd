/** Sets up what is missing: the packages, the programs' bundles, the engines. */
export function setup(): Promise<void>;
/** Why the packages of a folder have to be installed, in words; undefined when nothing is missing. */
export function reasonToInstall(folder?: string): string | undefined;
