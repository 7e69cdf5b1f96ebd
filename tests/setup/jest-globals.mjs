/**
 * `@jest/globals` for modules that outlive a test file: each name is bound to the functions of the
 * running file (tests/setup/runtime.cjs).
 */
export let afterAll;
export let afterEach;
export let beforeAll;
export let beforeEach;
export let describe;
export let expect;
export let jest;
export let test;

const bind = (globals) => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
};

const shared = globalThis[Symbol.for('assay.jestGlobals')];
shared.bind = bind;
bind(shared.globals);
