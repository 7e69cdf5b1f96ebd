import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EvaluationNotificationSchema, violationsOf } from '@assay/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';

/**
 * Runs the examples of the guide at /docs as they are. The blocks of one language in a chapter form
 * one program, which prints the output shown below them.
 */

const ROOT = join(import.meta.dirname, '..');
const GUIDE = join(ROOT, 'docs/guide');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'assay-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The client in one file. tests/client-package.test.ts shows that it packs and installs. */
const CLIENT = join(folder, 'client.mjs');
beforeAll(() =>
  build({
    entryPoints: [join(ROOT, 'libs/client/src/package.ts')],
    outfile: CLIENT,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  }),
);

/**
 * A folder that looks like a clone in which the suite under test runs, with the client installed.
 */
const clone = (name: string): string => {
  const at = join(folder, name);
  mkdirSync(join(at, '.run'), { recursive: true });
  symlinkSync(process.env.TEST_STACK_FILE!, join(at, '.run/stack.json'));
  const client = join(at, 'client/node_modules/@assay/client');
  mkdirSync(client, { recursive: true });
  symlinkSync(CLIENT, join(client, 'index.js'));
  writeFileSync(join(client, 'package.json'), '{"type": "module", "exports": "./index.js"}');
  for (const part of ['specimens', 'node_modules', 'package.json', 'libs'])
    symlinkSync(join(ROOT, part), join(at, part));
  return at;
};

const hasPython = (): boolean => {
  try {
    execFileSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 10)'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('the guide is not run in Python: this machine has no python3 of 3.10 or newer\n');
    return false;
  }
};

type Runner = [file: string, command: string, ...args: string[]];
const RUNNERS: Record<string, Runner> = {
  sh: ['program.sh', 'bash', '-e'],
  js: ['client/program.mjs', process.execPath],
  ...(hasPython() ? { python: ['program.py', 'python3'] as Runner } : {}),
};

interface Block {
  language: string;
  text: string;
}

const chapters = readdirSync(GUIDE)
  .filter((file) => file.endsWith('.md'))
  .map((file) => {
    const markdown = readFileSync(join(GUIDE, file), 'utf8');
    const blocks = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
      ([, language, text]): Block => ({ language: language!, text: text! }),
    );
    return { name: file.replace('.md', ''), markdown, blocks };
  });

/**
 * The lines that the programs of a chapter must print: the output below their blocks, for each
 * language above it.
 */
const expectedOf = (blocks: readonly Block[]): [language: string, line: string][] => {
  let above: string[] = [];
  let below = false;
  return blocks.flatMap(({ language, text }) => {
    if (language === 'output') {
      below = true;
      return above.flatMap((each) =>
        text
          .trim()
          .split('\n')
          .map((line): [string, string] => [each, line]),
      );
    }
    if (below) above = [];
    below = false;
    if (above.includes(language)) above = [];
    above.push(language);
    return [];
  });
};

const play = async (chapter: string, language: string, blocks: readonly Block[]): Promise<string> => {
  const [file, command, ...args] = RUNNERS[language]!;
  const at = clone(`${chapter}-${language}`);
  writeFileSync(join(at, file), blocks.map(({ text }) => text).join('\n'));
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  return (await run(command, [...args, file], { cwd: at, env })).stdout;
};

describe('the programs of the guide run', () => {
  const own = chapters.filter(({ blocks }) => blocks.some(({ language }) => language in RUNNERS));
  test('in most chapters', () => expect(own.length).toBeGreaterThan(6));

  test.each(own.map(({ name, blocks }) => [name, blocks] as const))(
    '%s',
    async (name, blocks) => {
      const languages = Object.keys(RUNNERS).filter((each) => blocks.some(({ language }) => language === each));
      const said = await Promise.all(
        languages.map((each) =>
          play(
            name,
            each,
            blocks.filter(({ language }) => language === each),
          ),
        ),
      );
      for (const [language, line] of expectedOf(blocks))
        if (language in RUNNERS) expect(said[languages.indexOf(language)]).toContain(line);
    },
    90_000,
  );
});

describe('the rest of the guide is true', () => {
  const all = chapters.map(({ markdown }) => markdown).join('\n');

  test('its notification matches the schema', () => {
    const { blocks } = chapters.find(({ name }) => name === 'webhooks')!;
    const json = blocks.find(({ language }) => language === 'json')!;
    expect(violationsOf(EvaluationNotificationSchema, JSON.parse(json.text))).toEqual([]);
  });

  test('its commands exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    for (const [, script] of all.matchAll(/`npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
    const commands = [...all.matchAll(/`assay (\w+)/g)].map(([, command]) => command!);
    expect(commands.length).toBeGreaterThan(2);
    const documented = readFileSync(join(ROOT, 'docs/command.md'), 'utf8');
    for (const command of commands) expect(documented).toContain(`| \`assay ${command}`);
  });

  test('its links lead somewhere', () => {
    const anchorsOf = (markdown: string): string[] =>
      [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.toLowerCase().replace(/[^a-z0-9]+/g, '-'));
    for (const [, file, anchor] of all.matchAll(/\]\(([\w-]+)\.md(?:#([\w-]+))?\)/g)) {
      const chapter = chapters.find(({ name }) => name === file);
      expect([file, chapter !== undefined]).toEqual([file, true]);
      if (anchor) expect(anchorsOf(chapter!.markdown)).toContain(anchor);
    }
  });
});
