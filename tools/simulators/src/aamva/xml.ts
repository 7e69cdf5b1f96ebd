import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'AddressDeliveryPointText',
});
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressBooleanAttributes: false,
});

export type Element = { [name: string]: Element } | string | undefined;

/** The SOAP body of a request; undefined when it has none. */
export const soapBody = (text: string): Element => {
  if (text.includes('<!DOCTYPE') || XMLValidator.validate(text) !== true) return undefined;
  return child(parser.parse(text) as Element, 'Envelope', 'Body');
};

export const child = (element: Element, ...path: string[]): Element =>
  path.reduce<Element>((at, name) => (typeof at === 'object' ? at[name] : undefined), element);

export const textOf = (element: Element, ...path: string[]): string | undefined => {
  const found = child(element, ...path);
  return typeof found === 'object' ? (found['#text'] as string | undefined) : found || undefined;
};

export const soapType = 'application/soap+xml;charset=UTF-8';

/** An envelope around a body. */
export const envelope = (action: string, body: object): string =>
  builder.build({
    's:Envelope': {
      '@xmlns:s': 'http://www.w3.org/2003/05/soap-envelope',
      '@xmlns:a': 'http://www.w3.org/2005/08/addressing',
      's:Header': { 'a:Action': { '@s:mustUnderstand': '1', '#text': action } },
      's:Body': body,
    },
  });

/** A fault of WS-Security, or with an exception id of AAMVA's own. */
export const fault = (subcode: string, exception?: { id: string; text: string }): string =>
  envelope('http://www.w3.org/2005/08/addressing/soap/fault', {
    's:Fault': {
      's:Code': {
        's:Value': exception ? 's:Receiver' : 's:Sender',
        's:Subcode': { 's:Value': `o:${subcode}` },
      },
      's:Reason': { 's:Text': { '@xml:lang': 'en-US', '#text': exception?.text ?? 'The message was refused' } },
      ...(exception
        ? {
            Exception: {
              '@xmlns': 'http://aamva.org/exceptions/1.0',
              ProgramExceptions: {
                ProgramException: { ExceptionId: exception.id, ExceptionText: exception.text, ExceptionTypeCode: 'I' },
              },
            },
          }
        : {}),
    },
  });
