import { type GraphBuilder, int, ints, word } from './onnx-graph.ts';
import { depthwise, filters, type Weight } from './weights.ts';

export type Weights = Map<string, Weight>;

export function need(weights: Weights, name: string): Weight {
  const weight = weights.get(name);
  if (!weight) throw new Error(`no weight ${name}`);
  return weight;
}

interface Convolution {
  filter: Weight;
  bias?: Weight;
  stride?: number;
  /** `same` as tensorflow pads (more at the end), or a number of pixels on each side. */
  padding: 'same' | number;
  perChannel?: boolean;
}

export function convolve(net: GraphBuilder, input: string, convolution: Convolution): string {
  const { filter, bias, stride = 1, padding, perChannel } = convolution;
  const { shape, values } = perChannel ? depthwise(filter) : filters(filter);
  const inputs = [input, net.tensor(shape, values)];
  if (bias) inputs.push(net.tensor(bias.shape, bias.values));
  const pads = padding === 'same' ? word('auto_pad', 'SAME_UPPER') : ints('pads', [padding, padding, padding, padding]);
  const attributes = [ints('kernel_shape', shape.slice(2)), ints('strides', [stride, stride]), pads];
  if (perChannel) attributes.push(int('group', shape[0] ?? 1));
  return net.node('Conv', inputs, attributes);
}

/** A depthwise filter, then a pointwise one with its bias. */
export function separable(
  net: GraphBuilder,
  input: string,
  weights: Weights,
  name: string,
  shape: { stride?: number; padding: 'same' | number },
): string {
  const deep = convolve(net, input, { filter: need(weights, `${name}/depthwise_filter`), ...shape, perChannel: true });
  const point = { filter: need(weights, `${name}/pointwise_filter`), bias: need(weights, `${name}/bias`), padding: 0 };
  return convolve(net, deep, point);
}

/** (x - mean) / divisor on raw 0 to 255 pixels, so that callers hand over what they sampled. */
export function normalise(net: GraphBuilder, input: string, mean: number[], divisor: number): string {
  const centred = net.node('Sub', [input, net.tensor([1, mean.length, 1, 1], Float32Array.from(mean))]);
  return net.node('Mul', [centred, net.tensor([1], Float32Array.of(1 / divisor))]);
}
