import { DLDV_MATCHES, type DldvMatches } from '../../domain/dldv-answer.ts';
import { at, findText, readXml, textAt, type Xml } from './xml.ts';

interface Fault {
  /** AAMVA's exception id (0001 unavailable, 0002 error, 0047 timeout), or the SOAP subcode. */
  code: string;
}

export type SoapReply = { kind: 'BODY'; body: Xml } | { kind: 'FAULT'; fault: Fault } | { kind: 'UNREADABLE' };

// Codes are kept in clear, beside the check and in the proof: a source's prose is none.
const CODE = /^[\w.-]{1,40}$/;

/** The body of a SOAP envelope, its fault, or neither. */
export const readSoap = (text: string): SoapReply => {
  const body = at(readXml(text), 'Envelope', 'Body');
  if (typeof body !== 'object') return { kind: 'UNREADABLE' };
  const fault = at(body, 'Fault');
  if (!fault) return { kind: 'BODY', body };
  const subcode = textAt(fault, 'Code', 'Subcode', 'Value')?.replace(/^.*:/, '');
  const code = findText(fault, 'ExceptionId') ?? subcode ?? '';
  return { kind: 'FAULT', fault: { code: CODE.test(code) ? code : 'SOAP' } };
};

export interface VerifyResult {
  transactionLocatorId: string | undefined;
  matches: DldvMatches;
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/**
 * The match indicators of a verification's answer; undefined when it is none. The number's
 * indicator is always there.
 */
export const readVerifyResult = (body: Xml): VerifyResult | undefined => {
  const result = at(body, 'VerifyDriverLicenseDataResponse', 'VerifyDriverLicenseDataResult');
  if (typeof result !== 'object') return undefined;
  const said = DLDV_MATCHES.map((name) => [name, textAt(result, `${name}MatchIndicator`)] as const);
  const given = said.filter(([, text]) => text !== undefined);
  if (given.some(([, text]) => !BOOLEANS.has(text ?? ''))) return undefined;
  const matches: DldvMatches = Object.fromEntries(given.map(([name, text]) => [name, BOOLEANS.get(text ?? '')]));
  if (matches.DriverLicenseNumber === undefined) return undefined;
  return { transactionLocatorId: findText(at(result, 'ControlData'), 'TransactionLocatorId'), matches };
};
