import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { brokerLibraries } from './rabbit-local.ts';

const plugins = mkdtempSync(join(tmpdir(), 'assay-plugins-'));
afterAll(() => rmSync(plugins, { recursive: true, force: true }));

const library = (name: string, version: string, needs: readonly string[]): void => {
  const ebin = join(plugins, `${name}-${version}`, 'ebin');
  mkdirSync(ebin, { recursive: true });
  const applications = needs.join(',\n                  ');
  writeFileSync(
    join(ebin, `${name}.app`),
    `{application, '${name}', [{modules, []},\n {applications, [${applications}]},\n {env, []}]}.\n`,
  );
};

test('the libraries of a broker are the broker and its direct and indirect dependencies', async () => {
  library('rabbit', '4.1.0-rc.1', ['kernel', 'stdlib', 'ra', 'rabbit_common']);
  library('rabbit_common', '4.1.0', ['kernel', 'recon']);
  library('ra', '2.2.0', ['rabbit_common']);
  library('recon', '2.5.2', []);
  library('rabbitmq_prelaunch', '4.1.0', ['rabbit']);
  library('rabbitmq_management', '4.1.0', ['rabbit', 'cowboy']);
  library('cowboy', '2.8.0', []);
  writeFileSync(join(plugins, 'README'), '');
  expect((await brokerLibraries(plugins)).sort()).toEqual(
    ['ra-2.2.0', 'rabbit-4.1.0-rc.1', 'rabbit_common-4.1.0', 'rabbitmq_prelaunch-4.1.0', 'recon-2.5.2'].sort(),
  );
});

test('if libraries are not folders beside the script, none is listed', async () => {
  expect(await brokerLibraries(join(plugins, 'nowhere'))).toEqual([]);
});
