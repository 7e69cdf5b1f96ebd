import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Reply } from '@assay/http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { multipartReply } from './multipart-reply.ts';

const part = (name: string, content: Buffer, bytes = content.length) => ({
  name,
  filename: `${name}.jpg`,
  contentType: 'image/jpeg',
  bytes,
  open: async () => Readable.from([content]),
});
const streamOf = (reply: Reply): Readable => {
  if (!('stream' in reply) || !(reply.stream instanceof Readable)) throw new Error('no stream');
  return reply.stream;
};

describe('a reply of several parts', () => {
  test('has exactly the bytes that clients expect', async () => {
    const reply = multipartReply('b', [
      part('DocumentFront', Buffer.from('one')),
      part('DocumentBack', Buffer.from('two')),
    ]);
    expect((await buffer(streamOf(reply))).toString()).toBe(
      [
        '--b',
        'Content-Disposition: form-data; name="DocumentFront"; filename="DocumentFront.jpg"',
        'Content-Type: image/jpeg',
        '',
        'one',
        '--b',
        'Content-Disposition: form-data; name="DocumentBack"; filename="DocumentBack.jpg"',
        'Content-Type: image/jpeg',
        '',
        'two',
        '--b--',
        '',
      ].join('\r\n'),
    );
    expect(reply.headers?.['content-type']).toBe('multipart/form-data; boundary=b');
  });

  test('has the length that it promises, whatever its parts', async () => {
    const parts = fc.array(
      fc.tuple(fc.string({ unit: fc.constantFrom('a', 'ü', '中'), minLength: 1 }), fc.uint8Array({ maxLength: 500 })),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(parts, async (list) => {
        const reply = multipartReply(
          'b',
          list.map(([name, bytes]) => part(name, Buffer.from(bytes))),
        );
        expect(reply.headers?.['content-length']).toBe(String((await buffer(streamOf(reply))).length));
      }),
      { numRuns: 50 },
    );
  });

  test('opens each part when the former was read, and ends with the last step', async () => {
    const steps: string[] = [];
    const noted = (name: string) => ({
      ...part(name, Buffer.from(name)),
      open: async () => {
        steps.push(`open ${name}`);
        return Readable.from(
          (async function* () {
            yield Buffer.from(name);
            steps.push(`read ${name}`);
          })(),
        );
      },
    });
    const reply = multipartReply('b', [noted('a'), noted('b')], async () => void steps.push('before the end'));
    for await (const chunk of streamOf(reply)) if (String(chunk) === '--b--\r\n') steps.push('closing line');
    expect(steps).toEqual(['open a', 'read a', 'open b', 'read b', 'before the end', 'closing line']);
  });

  test('has no closing line if the last step fails, or a part cannot be opened', async () => {
    const failing = async () => {
      throw new Error('away');
    };
    const replies = [
      multipartReply('b', [part('a', Buffer.from('x'))], failing),
      multipartReply('b', [part('a', Buffer.from('x')), { ...part('c', Buffer.from('y')), open: failing }]),
    ];
    for (const reply of replies) {
      let text = '';
      const read = async () => {
        for await (const chunk of streamOf(reply)) text += String(chunk);
      };
      await expect(read()).rejects.toThrow('away');
      expect(text).toContain('x');
      expect(text).not.toContain('--b--');
    }
  });
});
