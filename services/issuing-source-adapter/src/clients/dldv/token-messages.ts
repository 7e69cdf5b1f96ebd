import { randomUUID } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { writeXml } from './xml.ts';

const ISSUE_ACTION = 'http://schemas.xmlsoap.org/ws/2005/02/trust/RST/SCT';
export const AUTHENTICATE_ACTION = 'http://aamva.org/authentication/3.1.0/IAuthenticationService/Authenticate';
const TRUST = 'http://schemas.xmlsoap.org/ws/2005/02/trust';
const CONVERSATION = 'http://schemas.xmlsoap.org/ws/2005/02/sc';
const SECURITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
const UTILITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const CANONICAL = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const LIFETIME_MS = 300_000;

/**
 * Signs the message's timestamp: with the client's private key, or with the secret both sides
 * derived.
 */
type Signer = { kind: 'RSA'; privateKey: string } | { kind: 'HMAC'; secret: Buffer };

interface Message {
  action: string;
  to: string;
  now: Date;
  /** In the header, beside the timestamp. */
  security?: object;
  body: object;
}

const envelope = ({ action, to, now, security = {}, body }: Message): string =>
  writeXml({
    'soap:Envelope': {
      '@xmlns:soap': 'http://www.w3.org/2003/05/soap-envelope',
      'soap:Header': {
        '@xmlns:wsa': 'http://www.w3.org/2005/08/addressing',
        'wsa:Action': action,
        'wsa:MessageID': `urn:uuid:${randomUUID()}`,
        'wsa:To': to,
        'wsa:ReplyTo': { 'wsa:Address': 'http://www.w3.org/2005/08/addressing/anonymous' },
        'wsse:Security': {
          '@xmlns:wsse': SECURITY,
          '@xmlns:wsu': UTILITY,
          '@soap:mustUnderstand': 'true',
          'wsu:Timestamp': {
            '@wsu:Id': 'TS-1',
            'wsu:Created': now.toISOString(),
            'wsu:Expires': new Date(now.getTime() + LIFETIME_MS).toISOString(),
          },
          ...security,
        },
      },
      'soap:Body': body,
    },
  });

const referenceTo = (signer: Signer, keyReference: string) => () =>
  signer.kind === 'HMAC'
    ? `<wsse:SecurityTokenReference xmlns:wsse="${SECURITY}"><wsse:Reference URI="#${keyReference}" ValueType="${CONVERSATION}/sct"/></wsse:SecurityTokenReference>`
    : `<wsse:SecurityTokenReference xmlns:wsse="${SECURITY}"><wsse:KeyIdentifier ValueType="http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#ThumbprintSHA1">${keyReference}</wsse:KeyIdentifier></wsse:SecurityTokenReference>`;

const signed = (xml: string, signer: Signer, keyReference: string): string => {
  const signature = new SignedXml({
    idMode: 'wssecurity',
    privateKey: signer.kind === 'RSA' ? signer.privateKey : signer.secret,
    canonicalizationAlgorithm: CANONICAL,
    signatureAlgorithm: `${SIGNATURE}${signer.kind === 'RSA' ? 'rsa-sha1' : 'hmac-sha1'}`,
  });
  if (signer.kind === 'HMAC') signature.enableHMAC();
  // After enableHMAC, which leaves the key information out.
  signature.getKeyInfoContent = referenceTo(signer, keyReference);
  signature.addReference({
    xpath: "//*[local-name(.)='Timestamp']",
    transforms: [CANONICAL],
    digestAlgorithm: `${SIGNATURE}sha1`,
  });
  signature.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: "//*[local-name(.)='Security']", action: 'append' },
  });
  return signature.getSignedXml();
};

/**
 * Step 1: asks for a security context, giving our share of the secret. Signed when the client has a
 * certificate.
 */
export const securityTokenMessage = (
  to: string,
  now: Date,
  entropy: Buffer,
  key: { privateKey: string; thumbprint: string } | undefined,
): string => {
  const xml = envelope({
    action: ISSUE_ACTION,
    to,
    now,
    body: {
      'wst:RequestSecurityToken': {
        '@xmlns:wst': TRUST,
        'wst:TokenType': `${CONVERSATION}/sct`,
        'wst:RequestType': `${TRUST}/Issue`,
        'wst:Entropy': { 'wst:BinarySecret': { '@Type': `${TRUST}/Nonce`, '#text': entropy.toString('base64') } },
        'wst:KeySize': '256',
      },
    },
  });
  return key ? signed(xml, { kind: 'RSA', privateKey: key.privateKey }, key.thumbprint) : xml;
};

/**
 * Step 2: asks for the token that verifications carry; signed with the secret of the security
 * context.
 */
export const authenticateMessage = (to: string, now: Date, contextId: string, secret: Buffer): string =>
  signed(
    envelope({
      action: AUTHENTICATE_ACTION,
      to,
      now,
      security: {
        'c:SecurityContextToken': {
          '@xmlns:c': CONVERSATION,
          '@wsu:Id': 'SCT-1',
          'c:Identifier': contextId,
        },
      },
      body: { Authenticate: { '@xmlns': 'http://aamva.org/authentication/3.1.0' } },
    }),
    { kind: 'HMAC', secret },
    'SCT-1',
  );
