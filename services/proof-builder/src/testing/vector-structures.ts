import { present } from '@assay/contracts';
import { envelopeOf } from './plan-of.ts';
import { pack, parts, replaced, type Vector, type VectorInput } from './vector-parts.ts';

/** Archives with a broken structure, though some of their files are the signed ones. */
export const structural = async (input: VectorInput, good: Buffer): Promise<Vector[]> => {
  const { entries, plan } = parts(input);
  const refused = (file: string, check: Vector['check'], why: string, bytes: Buffer): Vector => ({
    file,
    verdict: 'refused',
    ...present({ check }),
    why,
    bytes,
  });
  const image = entries.find(({ name }) => name.includes('/images/'))!;
  const otherImage = [...input.other.media.values()].flat().find(({ role }) => role === 'FRONT')!.content;
  const swap = (bytes: Buffer) => entries.map((entry) => (entry === image ? { ...entry, bytes } : entry));
  const altered = Buffer.from(image.bytes);
  altered[100]! ^= 1;
  const slip = 'x'.repeat(10);
  const slipping = await pack([...entries, { name: `${plan.root}/${slip}`, bytes: Buffer.from('slip') }]);
  const duplicated = await pack([...entries, { name: image.name.replace(/.$/, '_'), bytes: image.bytes }]);
  const bomb = { name: `${plan.root}/images/bomb.jpg`, bytes: Buffer.alloc(8 * 1024 * 1024) };
  const local = Buffer.from(good);
  local.write('X', local.indexOf(`${plan.root}/identityDetails`) + plan.root.length + 1, 'latin1');
  const envelope = envelopeOf(plan, good);
  return [
    refused(
      'image-altered.zip',
      'hashes',
      'one byte of an image changed and its CRC put right',
      await pack(swap(altered)),
    ),
    refused(
      'image-of-another-identity.zip',
      'hashes',
      "an image swapped with another identity's",
      await pack(swap(otherImage)),
    ),
    refused('entry-missing.zip', 'hashes', 'an image left out', await pack(entries.filter((entry) => entry !== image))),
    refused(
      'entry-added.zip',
      'hashes',
      'a file that proof.json does not name',
      await pack([...entries, { name: `${plan.root}/note.txt`, bytes: Buffer.from('note') }]),
    ),
    refused(
      'entry-twice.zip',
      'zip',
      'two entries of the same name',
      replaced(duplicated, image.name.replace(/.$/, '_'), image.name),
    ),
    refused(
      'zip-slip.zip',
      'zip',
      'an entry that would be written outside of the folder',
      replaced(slipping, `/${slip}`, '/../../etc/'),
    ),
    refused('size-bomb.zip', 'zip', 'an entry that grows a thousandfold', await pack([...entries, bomb], true)),
    refused('local-header.zip', 'zip', 'a local header that names another file than the central directory', local),
    refused('bytes-before.zip', 'zip', 'bytes before the archive', Buffer.concat([Buffer.from('PK before'), good])),
    refused('bytes-behind.zip', 'zip', 'bytes behind the archive', Buffer.concat([good, Buffer.from('behind')])),
    refused('cut-off.zip', 'zip', 'the last hundred bytes are missing', good.subarray(0, -100)),
    refused(
      'two-roots.zip',
      'zip',
      'a second root folder',
      await pack([...entries, { name: 'elsewhere/note.txt', bytes: Buffer.from('note') }]),
    ),
    refused('envelope-open.mime', 'envelope', 'the closing delimiter is missing', envelope.subarray(0, -8)),
    refused(
      'envelope-renamed.mime',
      'envelope',
      'the envelope names another archive',
      replaced(envelope, `${plan.root}.zip`, `${plan.root.replace(/.$/, '0')}.zip`),
    ),
    refused('no-archive.bin', 'envelope', 'neither an envelope nor a ZIP', Buffer.from('this is no proof')),
    { file: 'empty.zip', verdict: 'unusable', why: 'no bytes at all', bytes: Buffer.alloc(0) },
  ];
};
