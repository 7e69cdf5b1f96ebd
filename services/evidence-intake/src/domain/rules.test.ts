import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAttached } from './attached.ts';
import { parseCaptureDetails, parseMetadata } from './capture-json.ts';
import { planOf, typeOfCapture } from './capture-plan.ts';
import { refusalOf } from './image-rules.ts';
import { chooseFrames, sidesToCapture } from './live-session.ts';
import { nextReissue, REISSUES } from './reissue.ts';
import { sharpnessOf } from './sharpness.ts';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('capture details', () => {
  test('contain known members, drop unknown ones, and treat null as absent', () => {
    const details = {
      jurisdiction: 'UTO',
      documentType: null,
      source: 'SCAN',
      later: { a: 1 },
      deviceInfo: { osType: null },
    };
    expect(parseCaptureDetails('D', bytes(details))).toEqual({
      value: { jurisdiction: 'UTO', source: 'SCAN' },
    });
    expect(parseCaptureDetails('D', bytes(null))).toEqual({ value: {} });
  });
  test.each([{ sdkVersion: '4.2' }, '4.2'])(
    'name the SDK of the device as the proof does, or as text: %j',
    (sdkInfo) => {
      const details = { deviceInfo: { sdkInfo }, sdkInfo: { sdkVersion: '4.2' } };
      expect(parseCaptureDetails('D', bytes(details))).toEqual({ value: details });
    },
  );
  test.each([
    ['{', 'D', 'must be JSON'],
    ['"text"', 'D', 'must be object'],
    ['{"source":"PHONE"}', 'D.source', 'must be one of LIVE_CAPTURE_IMAGE, LIVE_CAPTURE_VIDEO, SCAN, OTHER'],
    ['{"source":"DOCUMENT_CROP"}', 'D.source', expect.stringContaining('must be one of ')],
    ['{"jurisdiction":"Utopia"}', 'D.jurisdiction', expect.stringContaining('must be a country code')],
    ['{"deviceInfo":{"osType":7}}', 'D.deviceInfo.osType', 'must be string'],
    ['{"deviceInfo":{"sdkInfo":{"sdkVersion":7}}}', 'D.deviceInfo.sdkInfo.sdkVersion', 'must be string'],
  ])('%s is refused with %s: %s', (text, field, message) => {
    expect(parseCaptureDetails('D', Buffer.from(text))).toEqual({ field, message });
  });
  test('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((json) => Buffer.from(json)),
        ),
        (any) => {
          const parsed = parseCaptureDetails('D', Buffer.from(any));
          return 'value' in parsed ? typeof parsed.value === 'object' : parsed.field.startsWith('D');
        },
      ),
    );
  });
  test('metadata drops unknown members, and null is absent', () => {
    expect(parseMetadata('M', bytes([{ key: 'k', value: 'v', later: { a: 1 } }]))).toEqual({
      value: [{ key: 'k', value: 'v' }],
    });
    expect(parseMetadata('M', bytes(null))).toEqual({ value: [] });
  });
  test('metadata is a list of keys and values', () => {
    expect(parseMetadata('M', bytes([{ key: 'k', value: 'v' }]))).toEqual({ value: [{ key: 'k', value: 'v' }] });
    expect(
      parseMetadata(
        'M',
        bytes([
          { key: 'k', value: 'v' },
          { key: 1, value: 'v' },
        ]),
      ),
    ).toEqual({ field: 'M[1].key', message: 'must be string' });
    const entry = (key: string, value: string) =>
      parseMetadata(
        'M',
        bytes([
          { key: 'k', value: 'v' },
          { key, value },
        ]),
      );
    expect(entry('k', 'two\nlines')).toMatchObject({ value: [{}, { value: 'two\nlines' }] });
    for (const unseen of ['\u0000', '\ud800', '\u202e', '\u2028']) {
      expect(entry(`k${unseen}`, 'v')).toMatchObject({ field: 'M[1].key' });
      expect(entry('k', `v${unseen}`)).toMatchObject({ field: 'M[1].value' });
    }
    // A verifier would miss a file of this name, and refuse the proof; or take a text for a call.
    for (const own of ['furtherFileId', 'furtherCall', 'identityCall'])
      expect(entry(own, 'v')).toMatchObject({ field: 'M[1].key' });
    expect(parseMetadata('M', bytes({ key: 'k', value: 'v' }))).toEqual({
      field: 'M',
      message: 'must be a JSON array of at most 64 {key, value}',
    });
  });
});

describe('a capture', () => {
  test('has the declared type, else that of its operation', () => {
    expect(typeOfCapture('ID_DOCUMENT_CAPTURE')).toBe('ID_DOCUMENT');
    expect(typeOfCapture('ID_DOCUMENT_CAPTURE', 'TAX_CARD')).toBe('TAX_CARD');
    expect(typeOfCapture('PORTRAIT_CAPTURE', 'PASSPORT')).toBe('PORTRAIT');
    expect(planOf('CONSENTS')).toBeUndefined();
  });
});

describe('the header of an image', () => {
  test.each([
    [160, 1, undefined],
    [159, 159, 'RESOLUTION_TOO_LOW'],
    [1, 160, undefined],
    [8000, 5000, undefined],
    [8001, 5000, 'TOO_MANY_PIXELS'],
    [30_000, 1, undefined],
    [1, 30_001, 'TOO_MANY_PIXELS'],
  ])('%d x %d: %s', (width, height, refusal) => {
    expect(refusalOf({ width, height })).toBe(refusal);
  });
});

describe('a live capture session', () => {
  test.each([
    [{ kind: 'DOCUMENT', idDocumentType: 'PASSPORT' }, ['FRONT']],
    [{ kind: 'DOCUMENT', idDocumentType: 'DRIVING_LICENSE', issuingCountry: 'USA' }, ['FRONT', 'BACK']],
    [{ kind: 'DOCUMENT', idDocumentType: 'DRIVING_LICENSE', issuingCountry: 'AUS' }, ['FRONT']],
    [{ kind: 'DOCUMENT', idDocumentType: 'DRIVING_LICENSE' }, ['FRONT', 'BACK']],
    [{ kind: 'DOCUMENT', idDocumentType: 'IDENTITY_CARD' }, ['FRONT', 'BACK']],
    [{ kind: 'PORTRAIT', type: 'LIVENESS_HIGH' }, ['FRONT']],
  ] as const)('%j captures %j', (request, sides) => {
    expect(sidesToCapture(request)).toEqual(sides);
  });

  test('chooses the sharpest frame of each side, whatever order they are looked at in', () => {
    const frame = fc.record({
      side: fc.constantFrom('FRONT' as const, 'BACK' as const),
      sharpness: fc.integer({ min: -1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(frame), fc.func(fc.integer()), (list, shuffle) => {
        const frames = list.map((one, order) => ({ ...one, order, mediaId: String(order) }));
        const chosen = chooseFrames(frames);
        expect(chooseFrames([...frames].sort((a, b) => shuffle(a.order) - shuffle(b.order)))).toEqual(chosen);
        for (const side of ['FRONT', 'BACK'] as const) {
          const best = Math.max(...frames.filter((one) => one.side === side).map(({ sharpness }) => sharpness));
          const found = frames.find(({ mediaId }) => mediaId === chosen[side]);
          expect(found?.sharpness).toBe(Number.isFinite(best) ? best : undefined);
        }
      }),
    );
  });

  test('a step is sharper than a ramp', () => {
    const image = (value: (x: number) => number) => Uint8Array.from({ length: 64 * 8 }, (_, at) => value(at % 64));
    expect(
      sharpnessOf(
        image((x) => (x < 32 ? 0 : 255)),
        64,
        8,
      ),
    ).toBeGreaterThan(
      sharpnessOf(
        image((x) => x * 4),
        64,
        8,
      ),
    );
    expect(sharpnessOf(new Uint8Array(4), 2, 2)).toBe(0);
  });
});

describe('work that is reissued', () => {
  test('is reissued five times with growing gaps; then the evidence is ended, and the ending is reissued until it is answered', () => {
    const now = new Date(0);
    const steps = Array.from({ length: REISSUES + 3 }, (_, reissues) => nextReissue(reissues, now, 60_000));
    expect(steps.map(({ lookAgainAt }) => lookAgainAt.getTime() / 60_000)).toEqual([1, 2, 4, 8, 16, 16, 16, 16]);
    expect(steps.map(({ endWith }) => endWith !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('a medium', () => {
  const medium = { mediaIds: ['m'], state: 'STORED', role: 'FRONT' } as const;
  const reference = { mediaId: 'm', role: 'FRONT', contentType: 'image/jpeg', bytes: 1, sha256: '' } as const;
  test('is attached by the record that names it, by an open session, or as a crop; never before it is complete', () => {
    expect(isAttached(medium, undefined)).toBe(false);
    expect(isAttached(medium, { media: [] })).toBe(false);
    expect(isAttached(medium, { media: [reference] })).toBe(true);
    expect(isAttached({ ...medium, role: 'CROP' }, { media: [] })).toBe(true);
    expect(isAttached({ ...medium, role: 'FRAME' }, { media: [], session: { state: 'OPEN' } })).toBe(true);
    expect(isAttached({ ...medium, role: 'FRAME' }, { media: [], session: { state: 'ENDED' } })).toBe(false);
    expect(isAttached({ ...medium, state: 'ARRIVING' }, { media: [reference] })).toBe(false);
  });

  test('of a chip is attached by the record that names one of its files, not by an open session', () => {
    const reading = { mediaIds: ['r-0', 'm'], state: 'STORED', role: 'CHIP' } as const;
    expect(isAttached(reading, { media: [reference], session: { state: 'ENDED' } })).toBe(true);
    expect(isAttached(reading, { media: [], session: { state: 'OPEN' } })).toBe(false);
  });
});
