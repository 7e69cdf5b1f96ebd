import { convolve, need, normalise, separable, type Weights } from './layers.ts';
import { graph, ints, real, word } from './onnx-graph.ts';

/**
 * Tiny face detector: RGB 0 to 255, any square size, to a grid of 5 anchors x (x, y, width, height,
 * score), raw.
 */
export function tinyDetector(weights: Weights): Buffer {
  const net = graph('face-detector');
  const leaky = (input: string) => net.node('LeakyRelu', [input], [real('alpha', 0.1)]);
  const pool = (input: string, stride: number) =>
    net.node(
      'MaxPool',
      [input],
      [ints('kernel_shape', [2, 2]), ints('strides', [stride, stride]), word('auto_pad', 'SAME_UPPER')],
    );
  const input = normalise(net, 'image', [117.001, 114.697, 97.404], 255);
  const first = { filter: need(weights, 'conv0/filters'), bias: need(weights, 'conv0/bias'), padding: 0 };
  let out = pool(leaky(convolve(net, input, first)), 2);
  for (const layer of [1, 2, 3, 4, 5]) {
    out = pool(leaky(separable(net, out, weights, `conv${layer}`, { padding: 1 })), layer === 5 ? 1 : 2);
  }
  const last = { filter: need(weights, 'conv8/filters'), bias: need(weights, 'conv8/bias'), padding: 0 };
  net.node('Identity', [convolve(net, out, last)], [], 'grid');
  return net.model(['image', ['N', 3, 'S', 'S']], [['grid', ['N', 25, 'C', 'C']]]);
}
