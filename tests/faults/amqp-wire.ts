/**
 * The part of AMQP 0-9-1 that is needed to recognise frames, and to make the broker close a channel
 * or a connection.
 */

const GREETING = Buffer.from('AMQP');
const METHOD = 1;
const END = 0xce;
const FRAME_HEADER = 7;
const BASIC = 60;
const ACK = 80;
const PUBLISH = 40;

/** Cuts a stream into whole frames; a client's greeting counts as one. */
export const amqpFraming = (): ((bytes: Buffer) => Buffer[]) => {
  let buffered: Buffer = Buffer.alloc(0);
  const lengthOfNext = (): number | undefined => {
    if (buffered.length < FRAME_HEADER) return undefined;
    return buffered.subarray(0, 4).equals(GREETING) ? 8 : FRAME_HEADER + buffered.readUInt32BE(3) + 1;
  };
  return (bytes) => {
    buffered = buffered.length === 0 ? bytes : Buffer.concat([buffered, bytes]);
    const frames: Buffer[] = [];
    for (let length = lengthOfNext(); length !== undefined && length <= buffered.length; length = lengthOfNext()) {
      frames.push(buffered.subarray(0, length));
      buffered = buffered.subarray(length);
    }
    return frames;
  };
};

export const channelOf = (frame: Buffer): number => (frame.subarray(0, 4).equals(GREETING) ? 0 : frame.readUInt16BE(1));

const methodOf = (frame: Buffer): readonly [number, number] | undefined =>
  frame[0] === METHOD && frame.length > FRAME_HEADER + 4
    ? [frame.readUInt16BE(FRAME_HEADER), frame.readUInt16BE(FRAME_HEADER + 2)]
    : undefined;

export const isPublish = (frame: Buffer): boolean => {
  const [group, method] = methodOf(frame) ?? [];
  return group === BASIC && method === PUBLISH;
};

/** The name that a connection gives itself in its properties. */
export const connectionNameOf = (frame: Buffer): string | undefined => {
  const key = frame.indexOf('connection_name');
  if (key < 0) return undefined;
  // After the key: one byte for its type, and four bytes for the length.
  const at = key + 'connection_name'.length + 1;
  return frame.subarray(at + 4, at + 4 + frame.readUInt32BE(at)).toString();
};

/**
 * Acknowledges a message that was never delivered. The broker then closes the channel, or the
 * connection if the frame names channel 0.
 */
export const wrongAck = (channel: number): Buffer => {
  const payload = Buffer.alloc(13);
  payload.writeUInt16BE(BASIC, 0);
  payload.writeUInt16BE(ACK, 2);
  payload.writeBigUInt64BE(2n ** 40n, 4);
  const head = Buffer.alloc(FRAME_HEADER);
  head[0] = METHOD;
  head.writeUInt16BE(channel, 1);
  head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.from([END])]);
};
