/** A part of a template: text, or the content between `{{` and `}}` with the parts below it. */
export interface Part {
  kind: 'text' | 'print' | 'set' | 'if' | 'with' | 'range' | 'define';
  /** The text itself, the expression, or the name that is defined. */
  content: string;
  /** Variables that a `range` or an assignment sets. */
  names: string[];
  body: Part[];
  otherwise: Part[];
}

const part = (kind: Part['kind'], content: string, names: string[] = []): Part => ({
  ...{ kind, content, names },
  body: [],
  otherwise: [],
});

interface Token {
  isText: boolean;
  content: string;
}

/** Text and actions in turn. `{{-` and `-}}` remove the white space beside them. */
const tokensOf = (template: string): Token[] => {
  const tokens: Token[] = [];
  let trimNext = false;
  let from = 0;
  const text = (until: number, trimEnd: boolean): void => {
    const raw = template.slice(from, until);
    const begun = trimNext ? raw.trimStart() : raw;
    tokens.push({ isText: true, content: trimEnd ? begun.trimEnd() : begun });
  };
  for (const found of template.matchAll(/\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g)) {
    text(found.index, found[1] === '-');
    tokens.push({ isText: false, content: found[2]! });
    trimNext = found[3] === '-';
    from = found.index + found[0].length;
  }
  text(template.length, false);
  return tokens;
};

const ASSIGNED = /^((?:\$\w+)(?:,\s*\$\w+)*)\s*:?=\s*([\s\S]*)$/;

const actionOf = (content: string): Part => {
  const [, word = '', rest = ''] = /^(if|with|range|define)\s+([\s\S]*)$/.exec(content) ?? [];
  const [, names, expression] = ASSIGNED.exec(word ? rest : content) ?? [];
  const set = names?.split(/,\s*/) ?? [];
  if (word) return part(word as Part['kind'], expression ?? rest, set);
  return set.length > 0 ? part('set', expression!, set) : part('print', content);
};

/** Reads a template. */
export const parse = (template: string): Part[] => {
  const top: Part[] = [];
  const open: { part: Part; into: Part[] }[] = [];
  const into = (): Part[] => open.at(-1)?.into ?? top;
  for (const { isText, content } of tokensOf(template)) {
    if (isText) into().push(part('text', content));
    else if (content === 'end') open.pop();
    else if (content === 'else') open.at(-1)!.into = open.at(-1)!.part.otherwise;
    else if (!content.startsWith('/*')) {
      const action = actionOf(content);
      into().push(action);
      if (!['print', 'set'].includes(action.kind)) open.push({ part: action, into: action.body });
    }
  }
  if (open.length > 0) throw new Error(`${open.at(-1)!.part.content} has no end`);
  return top;
};
