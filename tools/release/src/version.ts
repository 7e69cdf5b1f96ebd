/** Text files by their path. */
export type Files = Readonly<Record<string, string>>;

export interface Release {
  version: string;
  /** YYYY-MM-DD */
  date: string;
}

/** Whether a file of the repository names the version. */
export const namesVersion = (path: string): boolean =>
  /^(.+\/)?package\.json$/.test(path) ||
  ['package-lock.json', 'CHANGELOG.md', 'clients/python/pyproject.toml', 'deploy/helm/assay/Chart.yaml'].includes(path);

const SEMVER = /^(\d+)\.(\d+)\.(\d+)(-[\w.]+)?$/;

/** Replaces what has to be there exactly once. */
const replaced = (path: string, text: string, what: RegExp, by: string): string => {
  const found = text.match(new RegExp(what.source, `${what.flags}g`))?.length ?? 0;
  if (found !== 1) throw new Error(`${path}: ${found} times ${what}, expected once`);
  return text.replace(what, by);
};

const dependingOn = (text: string, version: string): string =>
  text.replace(/("@assay\/[\w-]+": )"[^"]+"/g, `$1"${version}"`);

/** The lock file: our own packages are those outside node_modules. */
const lockFile = (text: string, version: string): string => {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/')) entry.version = version;
  }
  return dependingOn(`${JSON.stringify(lock, null, 2)}\n`, version);
};

const manifest = (path: string, text: string, version: string): string =>
  dependingOn(replaced(path, text, /^(\s{2}"version": )"[^"]+"/m, `$1"${version}"`), version);

const UNRELEASED = /^## (\S+) \(unreleased\)$/m;

const changed = (path: string, text: string, { version, date }: Release): string => {
  if (path === 'package-lock.json') return lockFile(text, version);
  if (path === 'CHANGELOG.md') return replaced(path, text, UNRELEASED, `## ${version} (${date})`);
  if (path.endsWith('pyproject.toml')) return replaced(path, text, /^version = ".*"$/m, `version = "${version}"`);
  if (path.endsWith('Chart.yaml'))
    return replaced(
      path,
      replaced(path, text, /^version: .*$/m, `version: ${version}`),
      /^appVersion: .*$/m,
      `appVersion: ${version}`,
    );
  return manifest(path, text, version);
};

/** Below, equal or above: a pre-release comes before its release. */
const compared = (one: string, other: string): number => {
  const [[, ...a], [, ...b]] = [SEMVER.exec(one) ?? [], SEMVER.exec(other) ?? []];
  const numbers = [0, 1, 2].map((at) => Number(a[at]) - Number(b[at])).find((difference) => difference !== 0);
  if (numbers !== undefined) return numbers;
  if (a[3] === undefined || b[3] === undefined) return Number(a[3] === undefined) - Number(b[3] === undefined);
  return a[3].localeCompare(b[3], 'en', { numeric: true });
};

/**
 * The files that name the version, as the release has them.
 * @throws when the version is none, comes before the present one, or a file does not name it as
 * expected
 */
export const released = (files: Files, release: Release): Record<string, string> => {
  const { version } = release;
  if (!SEMVER.test(version)) throw new Error(`${version} is no version: X.Y.Z is`);
  const { version: present } = JSON.parse(files['package.json'] ?? '{}') as { version: string };
  if (compared(version, present) < 0) throw new Error(`${version} comes before ${present}`);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, changed(path, text, release)]));
};

/**
 * What the changelog says of a release.
 * @throws when it says nothing
 */
export const notesOf = (changelog: string, { version, date }: Release): string => {
  const [, after = ''] = changelog.split(`## ${version} (${date})\n`);
  const notes = (after.split(/^## /m)[0] ?? '').trim();
  if (!notes) throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return `${notes}\n`;
};
