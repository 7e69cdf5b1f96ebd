/**
 * The sharpness of a grey image: the variance of its Laplacian, which grows with fine detail. It
 * only compares frames of one session at one size; verification-worker checks the quality.
 */
export const sharpnessOf = (grey: Uint8Array, width: number, height: number): number => {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const value = grey[at - 1]! + grey[at + 1]! + grey[at - width]! + grey[at + width]! - 4 * grey[at]!;
      sum += value;
      squares += value * value;
      count += 1;
    }
  }
  if (count === 0) return 0;
  const mean = sum / count;
  return squares / count - mean * mean;
};
