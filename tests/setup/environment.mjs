import { ModuleMocker } from 'jest-mock';

/**
 * Jest's environment without a context of its own: a test file runs in the worker itself, with its
 * global objects. When the file ends, the environment variables that it set are restored.
 */
export default class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #variables = { ...process.env };
  #console = globalThis.console;
  #exit = process.exit;

  getVmContext = () => null;
  exportConditions = () => ['node', 'node-addons'];

  /** Jest keeps what hears of tests on the global object: each test would tell all former files. */
  async setup() {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
  }

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }
}
