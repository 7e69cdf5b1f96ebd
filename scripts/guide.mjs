/**
 * Makes the pages of the guide from `docs/guide/*.md`: static HTML in the frame of
 * `pages/src/docs/shell.html`, and what the search looks through. Blocks of code that follow each
 * other in several languages become one block with a choice.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Marked } from 'marked';

const GUIDE = 'docs/guide';
const SHELL = 'pages/src/docs/shell.html';
const FIRST = 'quick-start';
const LANGUAGES = { sh: 'curl', js: 'TypeScript', python: 'Python', json: 'JSON', output: 'Answer', html: 'HTML' };

const escaped = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
const plain = (html) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

/** Where a page is served. */
const addressOf = (name) => (name === FIRST ? '/docs' : `/docs/${name}`);

/** Pages that the gateway makes from the tables of the code, and the files that say the same. */
const FROM_CODE = { '../errors.md': '/docs/errors', '../sandbox.md': '/docs/sandbox' };

/** Links between files become links between pages. */
const linkOf = (href) => {
  if (FROM_CODE[href]) return FROM_CODE[href];
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name ? addressOf(name) + anchor : href;
};

const figureOf = (root, href, alt) => {
  const drawing = readFileSync(join(root, GUIDE, href), 'utf8').replace(
    /<svg /,
    `<svg role="img" aria-label="${escaped(alt)}" `,
  );
  return `<figure tabindex="0">${drawing}</figure>`;
};

const rendererOf = (root, { sections, images }) => ({
  heading({ tokens, depth }) {
    const html = this.parser.parseInline(tokens);
    const id = slug(plain(html));
    if (depth > 1) sections.push({ id, depth, title: plain(html), text: '' });
    return depth === 1 ? `<h1>${html}</h1>\n` : `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
  },
  code({ text, lang = '' }) {
    const [language] = lang.split(' ');
    const label = LANGUAGES[language] ?? language;
    return `<div class="code" data-language="${language}"><p class="code-label">${label}</p><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`;
  },
  link({ href, tokens }) {
    return `<a href="${linkOf(href)}">${this.parser.parseInline(tokens)}</a>`;
  },
  image({ href, text }) {
    if (href.endsWith('.svg')) return figureOf(root, href, text);
    images.push(join('docs/images', basename(href)));
    return `<img src="/docs/images/${basename(href)}" alt="${escaped(text)}" loading="lazy">`;
  },
  table({ header, rows }) {
    const cells = (row, tag) => row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
    const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
    return `<div class="table-frame" tabindex="0" role="region" aria-label="${escaped(plain(cells(header, 'span')))}"><table class="table"><thead><tr>${cells(header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead><tbody>${body}</tbody></table></div>\n`;
  },
});

/** Blocks in a row that say the same in another language. */
const grouped = (html) => {
  const block = '<div class="code" data-language="(?:sh|js|python)">(?:(?!</div>)[\\s\\S])*</div>\\n';
  return html.replace(new RegExp(`(?:${block}){2,}`, 'g'), (blocks) => `<div class="code-group">${blocks}</div>\n`);
};

const withTexts = (html, sections) => {
  const parts = html.split(/<h[23] id="/).slice(1);
  return sections.map((section, at) => ({
    ...section,
    text: plain((parts[at] ?? '').replace(/^[^>]*>/, '')).replace(/\s+/g, ' '),
  }));
};

const contentsOf = (sections) => {
  const links = sections
    .filter(({ depth }) => depth === 2)
    .map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  return links.length > 1
    ? `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
    : '';
};

/** A page in its frame. */
const framed = (shell, { path, title, content, contents = '' }) =>
  shell
    .replace('{{title}}', () => escaped(title))
    .replace(`href="${path}"`, `href="${path}" aria-current="page"`)
    .replace('{{contents}}', () => contents)
    .replace('{{content}}', () => content);

const pageOf = (root, shell, name) => {
  const [sections, images] = [[], []];
  const marked = new Marked({ renderer: rendererOf(root, { sections, images }) });
  const html = grouped(marked.parse(readFileSync(join(root, GUIDE, `${name}.md`), 'utf8')));
  const title = plain(/<h1>(.*)<\/h1>/.exec(html)?.[1] ?? name);
  const path = addressOf(name);
  const lead = { id: '', depth: 1, title, text: plain(html.split('<h2')[0] ?? '').replace(/\s+/g, ' ') };
  return {
    images,
    file: `${name === FIRST ? 'index' : name}.html`,
    contents: framed(shell, { path, title, content: html, contents: contentsOf(sections) }),
    found: [lead, ...withTexts(html, sections)].map(({ id, title: section, text }) => ({
      page: title,
      title: section,
      href: id ? `${path}#${id}` : path,
      text,
    })),
  };
};

const ERRORS = 'docs/errors.md';
const OUTCOMES = 'libs/contracts/src/sandbox-outcomes.json';

/**
 * What can be found of the pages that the gateway makes: each error code, and each outcome of the
 * sandbox.
 */
const foundFromCode = (root) => {
  const table = readFileSync(join(root, ERRORS), 'utf8');
  const rows = [...table.matchAll(/^\| (\d{4}) \| [^|]+ \| (\w+) \| ([^|]+) \|$/gm)];
  const cellsOf = (code, column) => rows.filter(([, other]) => other === code).map((row) => row[column]);
  const outcomes = JSON.parse(readFileSync(join(root, OUTCOMES), 'utf8'));
  return [
    ...[...new Set(rows.map(([, code]) => code))].map((code) => ({
      page: 'Error codes',
      title: `${code}: ${cellsOf(code, 3).join('; ')}`,
      href: `/docs/errors/${code}`,
      text: cellsOf(code, 2).join(' '),
    })),
    ...outcomes.map(({ name, description, status }) => ({
      page: 'Sandbox outcomes',
      title: name,
      href: `/docs/sandbox#${name}`,
      text: `${description}. ${status}`,
    })),
  ];
};

const REFERENCE =
  '<div id="reference"><h1>API reference</h1><p role="status">One moment …</p></div><script type="module" src="/docs/reference.js"></script>';

/**
 * The files of the guide: `{ file, contents }`, to stand beside its script; and what they are made
 * of, from the root.
 */
export const renderGuide = (/** @type {string} */ root) => {
  const names = readdirSync(join(root, GUIDE))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace('.md', ''));
  const shell = readFileSync(join(root, SHELL), 'utf8');
  const pages = names.map((name) => pageOf(root, shell, name));
  const images = pages.flatMap((page) => page.images);
  const reference = framed(shell, { path: '/docs/reference', title: 'API reference', content: REFERENCE });
  return {
    files: [
      ...pages.map(({ file, contents }) => ({ file, contents })),
      { file: 'reference.html', contents: reference },
      {
        file: 'search.json',
        contents: JSON.stringify([...pages.flatMap(({ found }) => found), ...foundFromCode(root)]),
      },
      ...images.map((image) => ({ file: `images/${basename(image)}`, contents: readFileSync(join(root, image)) })),
    ],
    inputs: [
      GUIDE,
      ...images,
      SHELL,
      ERRORS,
      OUTCOMES,
      'scripts/guide.mjs',
      ...readdirSync(join(root, GUIDE)).map((file) => `${GUIDE}/${file}`),
    ],
  };
};
