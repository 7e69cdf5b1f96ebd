import { convolve, need, normalise, separable, type Weights } from './layers.ts';
import { type GraphBuilder, graph, int, ints } from './onnx-graph.ts';

/**
 * 68 landmarks of a face crop: RGB 0 to 255 at 112 x 112, to x and y in turns, as shares of the
 * crop.
 */
export function landmarkNet(weights: Weights): Buffer {
  const net = graph('face-landmarks');
  let out = normalise(net, 'face', [122.782, 117.001, 104.298], 255);
  for (const block of [0, 1, 2, 3]) out = denseBlock(net, out, weights, `dense${block}`);
  out = net.node('AveragePool', [out], [ints('kernel_shape', [7, 7]), ints('strides', [2, 2])]);
  const flat = net.node('Flatten', [out], [int('axis', 1)]);
  const matrix = need(weights, 'fc/weights');
  const product = net.node('MatMul', [flat, net.tensor(matrix.shape, matrix.values)]);
  const bias = need(weights, 'fc/bias');
  net.node('Add', [product, net.tensor([1, 136], bias.values)], [], 'landmarks');
  return net.model(['face', ['N', 3, 112, 112]], [['landmarks', ['N', 136]]]);
}

/** Four convolutions, each fed with the sum of all before it; the first one halves the size. */
function denseBlock(net: GraphBuilder, input: string, weights: Weights, name: string): string {
  const relu = (tensor: string) => net.node('Relu', [tensor]);
  const plain = weights.get(`${name}/conv0/filters`);
  let sum = relu(
    plain
      ? convolve(net, input, { filter: plain, bias: need(weights, `${name}/conv0/bias`), stride: 2, padding: 'same' })
      : separable(net, input, weights, `${name}/conv0`, { stride: 2, padding: 'same' }),
  );
  let active = sum;
  for (const layer of [1, 2, 3]) {
    sum = net.node('Add', [sum, separable(net, active, weights, `${name}/conv${layer}`, { padding: 'same' })]);
    active = relu(sum);
  }
  return active;
}
