import { convolve, need, type Weights } from './layers.ts';
import { type GraphBuilder, graph, int, ints } from './onnx-graph.ts';
import type { Weight } from './weights.ts';

const STRIDED = new Set([2, 4, 6, 12]);

/**
 * SSD MobileNet v1: RGB 0 to 255 at 512 x 512, to decoded boxes (top, left, bottom, right, shares
 * of the side) and face logits.
 */
export function ssdDetector(weights: Weights): Buffer {
  const net = graph('face-detector-ssd');
  const centred = net.node('Mul', ['image', net.tensor([1], Float32Array.of(1 / 127.5))]);
  const input = net.node('Sub', [centred, net.tensor([1], Float32Array.of(1))]);
  let out = pointwise(net, input, weights, 'MobilenetV1/Conv2d_0_pointwise', 2);
  let eleventh = out;
  for (let layer = 1; layer <= 13; layer++) {
    out = depthwiseLayer(net, out, weights, `MobilenetV1/Conv2d_${layer}_depthwise`, STRIDED.has(layer) ? 2 : 1);
    out = pointwise(net, out, weights, `MobilenetV1/Conv2d_${layer}_pointwise`, 1);
    if (layer === 11) eleventh = out;
  }
  const maps = [eleventh, out];
  for (let layer = 0; layer < 8; layer++) {
    out = pointwise(net, out, weights, `Prediction/Conv2d_${layer}_pointwise`, layer % 2 === 1 ? 2 : 1);
    if (layer % 2 === 1) maps.push(out);
  }
  const predict = (kind: 'Class' | 'BoxEncoding', width: number) =>
    maps.map((map, index) => predictor(net, map, weights, `Prediction/BoxPredictor_${index}/${kind}Predictor`, width));
  net.node('Concat', predict('BoxEncoding', 4), [axis(1)], 'encodings');
  net.node('Concat', predict('Class', 3), [axis(1)], 'classes');
  const priors = need(weights, 'Output/extra_dim');
  net.node('Identity', [net.tensor(priors.shape, priors.values)], [], 'priors');
  const boxes = priors.shape[1] ?? 0;
  return net.model(
    ['image', [1, 3, 512, 512]],
    [
      ['encodings', [1, boxes, 4]],
      ['classes', [1, boxes, 3]],
      ['priors', [1, boxes, 4]],
    ],
  );
}

const axis = (value: number): Buffer => int('axis', value);

/** A convolution with its folded batch normalisation, clipped to 0 to 6. */
function pointwise(net: GraphBuilder, input: string, weights: Weights, name: string, stride: number): string {
  const filter = need(weights, `${name}/weights`);
  const bias = need(weights, `${name}/convolution_bn_offset`);
  return clipped(net, convolve(net, input, { filter, bias, stride, padding: 'same' }));
}

const clipped = (net: GraphBuilder, input: string): string =>
  net.node('Clip', [input, net.tensor([], Float32Array.of(0)), net.tensor([], Float32Array.of(6))]);

/** A depthwise convolution whose batch normalisation is folded into filter and bias. */
function depthwiseLayer(net: GraphBuilder, input: string, weights: Weights, name: string, stride: number): string {
  const part = (what: string) => need(weights, `${name}/BatchNorm/${what}`).values;
  const [gamma, beta, mean, variance] = [part('gamma'), part('beta'), part('moving_mean'), part('moving_variance')];
  const factor = gamma.map((value, channel) => value / Math.sqrt((variance[channel] ?? 0) + 0.0010000000474974513));
  const raw = need(weights, `${name}/depthwise_weights`);
  const channels = factor.length;
  const values = raw.values.map((value, index) => value * (factor[index % channels] ?? 0));
  const bias: Weight = {
    shape: [channels],
    values: beta.map((value, channel) => value - (mean[channel] ?? 0) * (factor[channel] ?? 0)),
  };
  const filter = { shape: raw.shape, values };
  return clipped(net, convolve(net, input, { filter, bias, stride, padding: 'same', perChannel: true }));
}

/**
 * A 1 x 1 convolution as rows of `width` numbers, in the order of the priors: row by row, anchor by
 * anchor.
 */
function predictor(net: GraphBuilder, map: string, weights: Weights, name: string, width: number): string {
  const layer = { filter: need(weights, `${name}/weights`), bias: need(weights, `${name}/biases`), padding: 0 };
  const last = net.node('Transpose', [convolve(net, map, layer)], [ints('perm', [0, 2, 3, 1])]);
  return net.node('Reshape', [last, net.shape([1, -1, width])]);
}
