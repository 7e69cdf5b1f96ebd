/** How swc removes the types from a file; everything else stays as it is. */
exports.swcOptions = (/** @type {string} */ filename) => ({
  filename,
  swcrc: false,
  configFile: false,
  jsc: {
    target: /** @type {const} */ ('es2023'),
    parser: { syntax: /** @type {const} */ ('typescript') },
    // Node requires `with { type: 'json' }`, so it must stay in the code.
    experimental: { keepImportAttributes: true },
  },
  module: { type: /** @type {const} */ ('es6') },
});
