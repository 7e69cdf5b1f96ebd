import { InferenceSession, Tensor } from 'onnxruntime-node';

export { type InferenceSession, Tensor };

/**
 * Opens a net from its file. The runtime tells nobody of it: otherwise it writes each use, with the
 * machine's name and id, to a file in the user's home, and sends that to its makers where there is
 * a network. It looks for the variable when the first net is opened.
 */
export const openNet = (file: string, options: InferenceSession.SessionOptions): Promise<InferenceSession> => {
  process.env.ORT_DISABLE_TELEMETRY = '1';
  return InferenceSession.create(file, options);
};
