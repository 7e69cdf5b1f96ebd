import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readDer } from './der/read.ts';
import { attempt, ChipError } from './errors.ts';
import { beginChipAuthentication, readTrustFile, verifyChip } from './index.ts';
import { readSecurityObject } from './lds/security-object.ts';
import { authenticatePassively } from './passive/passive-authentication.ts';
import { bitString, distinguishedName, sequence } from './software/build.ts';
import { chipAuthenticationKey, dataGroup14, dataGroup15 } from './software/data-groups.ts';
import { createChip, drawKey, signOver } from './software/index.ts';
import { authority, evidenceOf, NOW, planOf, statesOf, trusting } from './testing/chips.ts';
import { anyChange, mutate } from './testing/mutants.ts';
import { sample, sampleEntries, sampleJson, trustOf } from './testing/samples.ts';
import { isAuthority, oddCertificate, oddObject } from './testing/variants.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 1000);

const ORIGINALS = sampleEntries('document-security-object').map(({ file, mrzIssuingState }) => {
  const bytes = sample(String(file));
  const { content, certificates } = readSecurityObject(bytes).signedData;
  return {
    bytes,
    issuingState: mrzIssuingState,
    content: content.toString('hex'),
    certificates: certificates.map(({ signed }) => signed.content.toString('hex')),
  };
});

const trust = trustOf('master-list/NL-2026-07-22.ml', 'csca/ID-2020-10.cer');

const anyMutant = fc
  .tuple(fc.constantFrom(...ORIGINALS), fc.array(anyChange, { minLength: 1, maxLength: 4 }))
  .map(([original, changes]) => ({
    original,
    bytes: changes.reduce(mutate, original.bytes),
  }));

describe('mutants of real objects', () => {
  test('none verifies with other signed content or another signer, and every other one is only refused', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyMutant, ({ original, bytes }) => {
        const read = attempt(() => readSecurityObject(bytes));
        if (read.error) return;
        const question = {
          securityObject: read.value,
          issuingState: original.issuingState,
          dateOfIssue: undefined,
          trust,
          now: NOW,
        };
        const { signature, signer, certificate } = authenticatePassively(question);
        if (signature.state !== 'OK') return;
        expect(read.value.signedData.content.toString('hex')).toBe(original.content);
        if (signer.state !== 'OK') return;
        accepted += 1;
        expect(original.certificates).toContain(certificate!.signed.content.toString('hex'));
      }),
      { numRuns: RUNS },
    );
    // Some mutations change only unsigned bytes. Without them the test would show that mutants are
    // refused, not that they are distinguished.
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(RUNS / 2);
  });

  test('the work of reading one is bounded by its size', () => {
    fc.assert(
      fc.property(anyMutant, ({ bytes }) => {
        const steps = { count: 0 };
        attempt(() => readDer(bytes, undefined, steps));
        expect(steps.count).toBeLessThanOrEqual(bytes.length + 1);
      }),
      { numRuns: RUNS },
    );
  });
});

const chip = createChip(
  authority,
  planOf({ activeAuthentication: 'ECDSA', chipAuthentication: 'ECDH', dateOfIssue: '2026-02-01' }),
);

describe('hostile chips', () => {
  test('whatever the files, there is a verdict, and a changed data group is never right', () => {
    const names = Object.keys(chip.dataGroups);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(anyChange, { minLength: 1, maxLength: 3 }), (name, changes) => {
        const changed = changes.reduce(mutate, chip.dataGroups[name]!);
        fc.pre(!changed.equals(chip.dataGroups[name]!));
        const verification = verifyChip({
          ...evidenceOf(chip, trusting([authority.certificate])),
          dataGroups: { ...chip.dataGroups, [name]: changed },
        });
        expect(statesOf(verification)).toMatchObject({
          PASSIVE_AUTHENTICATION_HASH_CHECK: 'FAILED',
          PASSIVE_AUTHENTICATION_CHECK: 'FAILED',
        });
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });

  test('broken data groups that the security object lists do not crash a reader', () => {
    const names = Object.keys(chip.dataGroups);
    const answers = {
      challenge: Buffer.alloc(8),
      activeAuthenticationResponse: chip.answerChallenge(Buffer.alloc(8))!,
    };
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(anyChange, { minLength: 1, maxLength: 3 }), (name, changes) => {
        const dataGroups = { ...chip.dataGroups, [name]: changes.reduce(mutate, chip.dataGroups[name]!) };
        const documentSecurityObject = signOver(
          authority,
          planOf(),
          new Map(Object.entries(dataGroups).map(([key, bytes]) => [Number(key), bytes])),
        );
        const verification = verifyChip({
          ...evidenceOf(chip, trust),
          ...answers,
          files: { documentSecurityObject },
          dataGroups,
        });
        expect(statesOf(verification)).toMatchObject({
          PASOD_SIGNATURE_CHECK: 'OK',
          PASSIVE_AUTHENTICATION_HASH_CHECK: 'OK',
        });
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });

  test('a broken data group 14 only leads to an error', () => {
    const infos = ['AT', 'FR'].map((country) =>
      Buffer.from(sampleJson<{ dataGroup14: string }>(`chip-authentication/${country}.json`).dataGroup14, 'hex'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...infos), fc.array(anyChange, { minLength: 1, maxLength: 3 }), (file, changes) => {
        const begun = attempt(() => beginChipAuthentication(changes.reduce(mutate, file)));
        expect(begun.value ?? begun.error).toBeDefined();
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });

  describe.each([true, false])('a key that is the point at infinity, its curve spelled out: %s', (explicit) => {
    const drawn = drawKey({ curve: 'prime256v1', explicit });
    const [algorithm] = readDer(drawn.spki).children;
    const key = { ...drawn, spki: sequence(algorithm!.bytes, bitString(Buffer.alloc(1))) };
    const name = distinguishedName('UT', 'Nowhere', 'Nowhere');
    const certificate = oddCertificate({
      subject: name,
      issuer: name,
      key,
      signedBy: drawn,
      extensions: [isAuthority],
    });
    const statesUnder = (documentSecurityObject: Buffer, dataGroups: Readonly<Record<string, Buffer>>) =>
      statesOf(
        verifyChip({
          ...evidenceOf(chip, trust),
          files: { documentSecurityObject },
          dataGroups,
          challenge: Buffer.alloc(8),
          activeAuthenticationResponse: Buffer.alloc(64, 1),
        }),
      );

    test('begins no chip authentication', () => {
      const { error } = attempt(() => beginChipAuthentication(dataGroup14(chipAuthenticationKey(key.spki))));
      expect(error?.code).toBe('MALFORMED');
    });

    test('answers no challenge', () => {
      const dataGroups = { 1: chip.dataGroups[1]!, 15: dataGroup15(key.spki) };
      const listed = new Map(Object.entries(dataGroups).map(([number, bytes]) => [Number(number), bytes]));
      expect(statesUnder(signOver(authority, planOf(), listed), dataGroups)).toMatchObject({
        PASSIVE_AUTHENTICATION_HASH_CHECK: 'OK',
        ACTIVE_AUTHENTICATION_CHECK: 'UNVERIFIED',
      });
    });

    test('signs no document, and is no authority', () => {
      const dataGroups = new Map([[1, chip.dataGroups[1]!]]);
      expect(statesUnder(oddObject({ key, certificate, dataGroups }), Object.fromEntries(dataGroups))).toMatchObject({
        PASOD_SIGNATURE_CHECK: 'FAILED',
      });
      expect(readTrustFile(certificate, NOW)).toMatchObject({
        authorities: [],
        refused: [{ reason: 'a public key is no point of a curve' }],
      });
    });
  });

  test('trust files are read, or refused with the one error', () => {
    const files = [
      sample('csca/ID-2020-10-link.cer'),
      authority.revoke([Buffer.from('11', 'hex')], NOW, NOW),
      authority.signMasterList([authority.certificate], NOW),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.array(anyChange, { minLength: 1, maxLength: 3 }), (file, changes) => {
        try {
          readTrustFile(changes.reduce(mutate, file), NOW);
        } catch (error) {
          expect(error).toBeInstanceOf(ChipError);
        }
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });
});
