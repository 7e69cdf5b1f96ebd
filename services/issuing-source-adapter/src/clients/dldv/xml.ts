import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
});
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressBooleanAttributes: false });

/** An element's content: text, or its children by name (without namespace prefix). */
export type Xml = { [name: string]: Xml } | string;

/**
 * Reads a document; undefined when it is not well-formed. Document types are refused: no source of
 * ours sends one, and entities can be abused.
 */
export const readXml = (text: string): Xml | undefined => {
  if (text.includes('<!DOCTYPE') || XMLValidator.validate(text) !== true) return undefined;
  try {
    return parser.parse(text) as Xml;
  } catch {
    return undefined;
  }
};

/** The element at a path of names; undefined when there is none. */
export const at = (xml: Xml | undefined, ...path: string[]): Xml | undefined =>
  path.reduce<Xml | undefined>(
    (element, name) => (typeof element === 'object' && Object.hasOwn(element, name) ? element[name] : undefined),
    xml,
  );

/** The text of the element at a path. */
export const textAt = (xml: Xml | undefined, ...path: string[]): string | undefined => {
  const found = at(xml, ...path);
  if (typeof found === 'string') return found;
  const inner = at(found, '#text');
  return typeof inner === 'string' ? inner : undefined;
};

/** The first text of an element of this name, anywhere. */
export const findText = (xml: Xml | undefined, name: string): string | undefined => {
  if (typeof xml !== 'object') return undefined;
  const here = textAt(xml, name);
  if (here !== undefined) return here;
  for (const child of Object.values(xml)) {
    const found = findText(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const writeXml = (xml: object): string => builder.build(xml);
