import { createHmac, randomBytes } from 'node:crypto';
import { newId } from '@assay/runtime';
import { SignedXml } from 'xml-crypto';
import { child, type Element, envelope, fault, textOf } from './xml.ts';

const TRUST = 'http://schemas.xmlsoap.org/ws/2005/02/trust';
const CONVERSATION = 'http://schemas.xmlsoap.org/ws/2005/02/sc';

/** P_SHA-1 over both sides' entropies, as the client derives it. */
const derived = (secret: Buffer, seed: Buffer): Buffer => {
  const hmac = (data: Buffer): Buffer => createHmac('sha1', secret).update(data).digest();
  const first = hmac(seed);
  const second = hmac(first);
  return Buffer.concat([hmac(Buffer.concat([first, seed])), hmac(Buffer.concat([second, seed]))]).subarray(0, 32);
};

const isSigned = (xml: string, key: Buffer | string): boolean => {
  const signature = new SignedXml({ idMode: 'wssecurity', publicCert: key, getCertFromKeyInfo: () => null });
  if (Buffer.isBuffer(key)) signature.enableHMAC();
  const found = /<ds:Signature[\s>][\s\S]*<\/ds:Signature>/.exec(xml)?.[0];
  if (!found) return false;
  try {
    signature.loadSignature(found);
    return signature.checkSignature(xml);
  } catch {
    return false;
  }
};

export interface TokenDesk {
  /** Answers either token step with an envelope. */
  answer(xml: string, body: Element): string;
  accepts(token: string): boolean;
}

/**
 * Gives out security contexts and tokens. With a client's public key (PEM) the first step must be
 * signed with its private one.
 */
export const createTokenDesk = (clientKey?: string): TokenDesk => {
  const contexts = new Map<string, Buffer>();
  const tokens = new Set<string>();

  const issueContext = (xml: string, entropy: string): string => {
    if (clientKey && !isSigned(xml, clientKey)) return fault('FailedAuthentication');
    const ours = randomBytes(32);
    const id = `urn:uuid:${newId()}`;
    contexts.set(id, derived(Buffer.from(entropy, 'base64'), ours));
    return envelope(`${TRUST}/RSTR/SCT`, {
      't:RequestSecurityTokenResponse': {
        '@xmlns:t': TRUST,
        't:RequestedSecurityToken': {
          'c:SecurityContextToken': { '@xmlns:c': CONVERSATION, '@Id': 'SCT-1', 'c:Identifier': id },
        },
        't:Entropy': { 't:BinarySecret': { '@Type': `${TRUST}/Nonce`, '#text': ours.toString('base64') } },
      },
    });
  };

  const authenticate = (xml: string): string => {
    const contextId = /<c:Identifier>([^<]+)<\/c:Identifier>/.exec(xml)?.[1] ?? '';
    const secret = contexts.get(contextId);
    if (!secret || !isSigned(xml, secret)) return fault('BadContextToken');
    contexts.delete(contextId);
    const token = randomBytes(24).toString('base64url');
    tokens.add(token);
    return envelope('http://aamva.org/authentication/3.1.0/IAuthenticationService/AuthenticateResponse', {
      AuthenticateResponse: { '@xmlns': 'http://aamva.org/authentication/3.1.0', AuthenticateResult: token },
    });
  };

  return {
    answer: (xml, body) => {
      const entropy = textOf(body, 'RequestSecurityToken', 'Entropy', 'BinarySecret');
      if (entropy) return issueContext(xml, entropy);
      return child(body, 'Authenticate') === undefined ? fault('InvalidSecurity') : authenticate(xml);
    },
    accepts: (token) => tokens.has(token),
  };
};
