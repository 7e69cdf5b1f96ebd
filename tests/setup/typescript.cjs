/** How swc takes the types out of a file; what runs keeps its modules as they are. */
exports.swcOptions = (/** @type {string} */ filename) => ({
  filename,
  swcrc: false,
  configFile: false,
  jsc: {
    target: /** @type {const} */ ('es2023'),
    parser: { syntax: /** @type {const} */ ('typescript') },
    // Node wants `with { type: 'json' }` to be said.
    experimental: { keepImportAttributes: true },
  },
  module: { type: /** @type {const} */ ('es6') },
});
