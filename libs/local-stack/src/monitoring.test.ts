import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findProgram } from './command.ts';

/* Prometheus' own tool reads the alerts and the dashboard. */

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'assay-monitoring-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Debian's package, unpacked in `.cache` and not installed; undefined if it is not available. */
const fromDebian = (): string | undefined => {
  const cache = join(root, '.cache/prometheus');
  const program = { PATH: join(cache, 'usr/bin') };
  if (findProgram('promtool', program) || !findProgram('apt-get') || !findProgram('dpkg'))
    return findProgram('promtool', program);
  mkdirSync(cache, { recursive: true });
  spawnSync('apt-get', ['download', '-qq', 'prometheus'], { cwd: cache, timeout: 60_000 });
  const [deb] = readdirSync(cache).filter((name) => name.endsWith('.deb'));
  if (deb) spawnSync('dpkg', ['-x', deb, '.'], { cwd: cache });
  return findProgram('promtool', program);
};
const promtool = findProgram('promtool') ?? fromDebian();
const ask = (...args: string[]): string =>
  execFileSync(promtool ?? '', args, { cwd: join(root, 'deploy/prometheus'), encoding: 'utf8', stdio: 'pipe' });

interface Panel {
  title: string;
  targets: { expr: string }[];
}
const panels = (): Panel[] =>
  JSON.parse(readFileSync(join(root, 'deploy/grafana/dashboards/assay.json'), 'utf8')).panels;
/** The metrics in docs/metrics.md, which another test compares with the code. */
const documented = (): string[] =>
  [...readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(/`(assay_\w+)`/g)].map(([, name = '']) => name);

const title = promtool ? 'by promtool' : 'by promtool (not here: neither in PATH nor to be had from Debian)';
(promtool ? describe : describe.skip)(title, () => {
  test.each(['prometheus.yml', 'local.yml'])('the configuration %s and every alert are valid', (config) => {
    expect(ask('check', 'config', config)).toMatch(/SUCCESS: \d+ rules found/);
  });

  test('alerts are raised when they should be, and not before', () => {
    expect(ask('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });

  test('every expression of the dashboard is valid', () => {
    const targets = panels().flatMap((panel) => panel.targets);
    const rules = targets.map(({ expr }, at) => ({
      record: `panel_${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(folder, 'panels.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(ask('check', 'rules', file)).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

test('the dashboard uses existing metrics', () => {
  const known = new Set(documented());
  const asked = panels().flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/\bassay_\w+/g) ?? []));
  const bare = asked.map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect(bare.filter((name) => !known.has(name) && !name.startsWith('assay_process_'))).toEqual([]);
});
