import { finished, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundaryIn, formParser, formTypeWith } from './index.ts';

/** The names of the parts of a form with this boundary. */
const partsWith = (boundary: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const names: string[] = [];
    const parser = formParser({
      boundary,
      limits: {},
      onPart: (name, bytes) => {
        names.push(name);
        bytes.resume();
      },
    });
    finished(parser, { readable: false }, (error) => (error ? reject(error) : resolve(names)));
    const part = 'Content-Disposition: form-data; name="front"\r\n\r\nbytes';
    Readable.from([Buffer.from(`--${boundary}\r\n${part}\r\n--${boundary}--\r\n`)]).pipe(parser);
  });

test.each([
  ['multipart/form-data; boundary=B', 'B'],
  ['multipart/form-data;boundary=B;charset=utf-8', 'B'],
  ['Multipart/Form-Data; Boundary="a b"', 'a b'],
  ['multipart/form-data; boundary="a\\"b\\\\c"', 'a"b\\c'],
  ['multipart/form-data; boundary=a"b', 'a"b'],
  ['multipart/form-data; x="a; boundary=A"; boundary=B', 'B'],
  ['multipart/form-data; x="a; boundary=A"', undefined],
  ['multipart/form-data; boundary="B', undefined],
  ['multipart/form-data; boundary=""', undefined],
  ['multipart/form-data', undefined],
])('the boundary in %s is %s', (type, boundary) => expect(boundaryIn(type)).toBe(boundary));

test('a form is read by its boundary, whatever characters that has', async () => {
  const character = fc.constantFrom(...'aZ0\'()+_,-./:=?;"\\ *%');
  const boundary = fc
    .array(character, { minLength: 1, maxLength: 70 })
    .map((all) => all.join(''))
    .filter((text) => text.trim() === text && !text.endsWith('--'));
  await fc.assert(
    fc.asyncProperty(boundary, async (text) => {
      expect(boundaryIn(formTypeWith(text))).toBe(text);
      expect(await partsWith(text)).toEqual(['front']);
    }),
  );
});
