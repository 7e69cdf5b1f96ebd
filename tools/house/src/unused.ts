import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './files.ts';

export interface Unused {
  files: string[];
  exports: { path: string; name: string }[];
  dependencies: { path: string; name: string; why: 'unused' | 'not declared' }[];
}

type Named = { name: string }[];
interface Issue {
  file: string;
  files: Named;
  exports: Named;
  types: Named;
  dependencies: Named;
  devDependencies: Named;
  unlisted: Named;
}

/** The package that a file belongs to, as the file that declares it. */
const manifestOf = (file: string): string => {
  const [area = '', name = ''] = file.split('/');
  const inPackage = ['libs', 'services', 'tools'].includes(area) && name !== 'house' && name !== 'engine-example';
  return inPackage ? `${area}/${name}/package.json` : 'package.json';
};

const distinct = <T>(list: readonly T[]): T[] => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];

/**
 * What knip finds: files, exports and dependencies that nothing uses, and packages used without
 * being declared.
 */
export const findUnused = async (): Promise<Unused> => {
  const knip = join(root, 'node_modules/knip/bin/knip.js');
  const args = [knip, '--no-progress', '--no-exit-code', '--reporter', 'json', '--config', 'tools/house/knip.jsonc'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 2 ** 20 });
  const { issues } = JSON.parse(stdout) as { issues: Issue[] };
  return {
    files: issues.flatMap(({ files }) => files.map(({ name }) => name)),
    exports: issues.flatMap(({ file, exports, types }) =>
      [...exports, ...types].map(({ name }) => ({ path: file, name })),
    ),
    dependencies: distinct(
      issues.flatMap(({ file, dependencies, devDependencies, unlisted }) => [
        ...[...dependencies, ...devDependencies].map(({ name }) => ({ path: file, name, why: 'unused' as const })),
        ...unlisted.map(({ name }) => ({ path: manifestOf(file), name, why: 'not declared' as const })),
      ]),
    ),
  };
};
