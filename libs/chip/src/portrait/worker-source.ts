/**
 * The program of the thread that decodes JPEG 2000, as text: it runs from a bundle as well as from
 * its sources. The codec prints to the console unless given its own `print`, never throws for a bad
 * picture (its width is then 0), and its memory never shrinks: the thread is thrown away for that.
 * A codec that cannot be loaded ends the thread; one that finds no memory says so. Neither is the
 * picture's fault.
 */
export const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const silent = () => {};
const codec = require(workerData.codec)({ print: silent, printErr: silent });
const SHORTAGE = /out of memory|allocation failed|bad_alloc|(OOM)/i;
const isShortage = (error) => error instanceof RangeError || SHORTAGE.test(String(error));
parentPort.on('message', async (bytes) => {
  const loaded = await codec;
  try {
    parentPort.postMessage(decode(loaded, bytes));
  } catch (error) {
    parentPort.postMessage(
      isShortage(error) ? { shortage: true } : { frame: { width: 0 }, pixels: new Uint8Array() },
    );
  }
});
const decode = ({ J2KDecoder }, bytes) => {
  const decoder = new J2KDecoder();
  decoder.getEncodedBuffer(bytes.length).set(bytes);
  decoder.decode();
  const frame = decoder.getFrameInfo();
  const pixels = frame.width > 0 ? Uint8Array.from(decoder.getDecodedBuffer()) : new Uint8Array();
  decoder.delete();
  return { frame, pixels };
};
`;
