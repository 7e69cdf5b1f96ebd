import type { Response } from 'express';

/* The simulators' pages for people: in the browser's own colours, light or dark. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** A text as it may stand in a page. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 3rem; }
h1 { font-size: 1.5rem; margin: 0.5rem 0; }
h2 { font-size: 1.125rem; margin: 1.5rem 0 0.5rem; }
article { border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); border-radius: 10px; padding: 0.75rem 1rem; margin: 0.75rem 0; }
header { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; }
pre { font: 0.875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.5rem 0 0; }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
label { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 100%; }
button, select, input { font: inherit; min-height: 2.25rem; padding: 0 0.75rem; max-width: 100%; }
code, strong, td { overflow-wrap: anywhere; }
td, th { text-align: start; padding: 0.25rem 1rem 0.25rem 0; }
`;

/** Answers with a page; `body` is markup whose texts were escaped. */
export const sendPage = (response: Response, title: string, body: string): void => {
  const name = escaped(title);
  response
    .type('html')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${name}</title><style>${STYLE}</style><main><h1>${name}</h1>${body}</main></html>`,
    );
};
