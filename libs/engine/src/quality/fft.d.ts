/**
 * The part of fft.js that is used here; the package brings no types. Complex arrays are
 * interleaved.
 */
declare module 'fft.js' {
  export default class FFT {
    constructor(size: number);
    createComplexArray(): number[];
    transform(out: number[] | Float64Array, complex: ArrayLike<number>): void;
    /** Fills the lower half of `out`; the upper one mirrors it. */
    realTransform(out: number[] | Float64Array, real: ArrayLike<number>): void;
  }
}
