/**
 * Writes ONNX models (opset 13) without any ONNX package: the few protobuf messages a plain
 * convolutional net needs.
 */
const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  if (rest < 0n) rest += 1n << 64n;
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest ? low | 128 : low);
  } while (rest);
  return Buffer.from(bytes);
};

const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
const message = (field: number, body: Buffer | string): Buffer => {
  const bytes = Buffer.from(body as Buffer);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
};
const float = (field: number, value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), bytes]);
};

export const ints = (name: string, values: number[]): Buffer =>
  Buffer.concat([message(1, name), ...values.map((value) => number(8, value)), number(20, 7)]);
export const int = (name: string, value: number): Buffer =>
  Buffer.concat([message(1, name), number(3, value), number(20, 2)]);
export const real = (name: string, value: number): Buffer =>
  Buffer.concat([message(1, name), float(2, value), number(20, 1)]);
export const word = (name: string, value: string): Buffer =>
  Buffer.concat([message(1, name), message(4, value), number(20, 3)]);

/** A size that is known, or the name of one that is not. */
type Dimension = number | string;

export interface GraphBuilder {
  tensor(shape: number[], values: Float32Array): string;
  shape(values: number[]): string;
  node(operator: string, inputs: string[], attributes?: Buffer[], output?: string): string;
  model(input: [string, Dimension[]], outputs: [string, Dimension[]][]): Buffer;
}

export function graph(name: string): GraphBuilder {
  const tensors: Buffer[] = [];
  const nodes: Buffer[] = [];
  const add = (shape: number[], type: number, raw: Buffer): string => {
    const id = `w${tensors.length}`;
    tensors.push(
      Buffer.concat([...shape.map((size) => number(1, size)), number(2, type), message(8, id), message(9, raw)]),
    );
    return id;
  };
  const describe = ([id, dimensions]: [string, Dimension[]]): Buffer => {
    const sizes = dimensions.map((size) => message(1, typeof size === 'number' ? number(1, size) : message(2, size)));
    const tensorType = Buffer.concat([number(1, 1), message(2, Buffer.concat(sizes))]);
    return Buffer.concat([message(1, id), message(2, message(1, tensorType))]);
  };
  return {
    tensor: (shape, values) => add(shape, 1, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
    shape: (values) => {
      const whole = BigInt64Array.from(values, BigInt);
      return add([values.length], 7, Buffer.from(whole.buffer));
    },
    node: (operator, inputs, attributes = [], output = `t${nodes.length}`) => {
      const body = [
        ...inputs.map((id) => message(1, id)),
        message(2, output),
        message(3, `n${nodes.length}`),
        message(4, operator),
      ];
      nodes.push(Buffer.concat([...body, ...attributes.map((attribute) => message(5, attribute))]));
      return output;
    },
    model: (input, outputs) => {
      const body = [
        ...nodes.map((node) => message(1, node)),
        message(2, name),
        ...tensors.map((tensor) => message(5, tensor)),
        message(11, describe(input)),
        ...outputs.map((output) => message(12, describe(output))),
      ];
      const opset = Buffer.concat([message(1, ''), number(2, 13)]);
      return Buffer.concat([number(1, 8), message(2, 'assay'), message(7, Buffer.concat(body)), message(8, opset)]);
    },
  };
}
