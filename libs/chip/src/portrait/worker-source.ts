/**
 * The program of the thread that decodes JPEG 2000, as text: so it runs from a bundle and from the
 * sources. The codec prints to the console unless it is given its own `print`. It never throws for
 * a bad picture: the width is 0 then. Its memory never shrinks, so the thread is replaced. If the
 * codec cannot be loaded, the thread ends; if it finds no memory, it says so. In both cases the
 * picture is not the cause.
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
