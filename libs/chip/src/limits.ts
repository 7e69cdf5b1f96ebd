/**
 * The limits for everything that is read from outside. What is beyond a limit is refused, never
 * cut.
 */
export const LIMITS = {
  // Files from a chip, and files from an administrator, whose lists have hundreds of certificates.
  fileBytes: 350 * 1024,
  trustFileBytes: 64 * 1024 * 1024,
  dataGroups: 16,
  answerBytes: 4096,
  // How many protocols with a key a chip offers for chip authentication; each key is read in turn.
  chipProtocols: 16,
  pixels: 4 * 1024 * 1024,
  // DER.
  depth: 32,
  lengthBytes: 4,
  tagBytes: 3,
  elementsInOneLevel: 4096,
  elementsInOneFile: 20_000,
  elementsInOneTrustFile: 400_000,
  elementsInOneLevelOfTrustFile: 100_000,
  directoryEntries: 100_000,
  // DER inside a file: the extensions of its certificates, and its signatures, each of which is
  // read again for every key that is tried.
  elementsInOneExtension: 128,
  elementsInOneSignature: 8,
  signatureBytes: 4096,
  // A signed object: how much of it is read, and for how many of its signatures a chain is built.
  certificates: 32,
  signers: 8,
  certificatesOfOneSigner: 2,
  chainsBuilt: 2,
  // A chain: certificates below the authority, and how many signatures of links and of authorities
  // are tried.
  chainLength: 6,
  linkAttempts: 16,
  issuerAttempts: 48,
  // RSA keys.
  modulusBits: { least: 1024, most: 8192 },
  exponentBits: 64,
} as const;
