import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's environment for Node, in a context with an ordinary global object. The one that Jest makes
 * asks a proxy for `Map`, `Object`, `JSON` each time code names them, which takes up to half of the
 * time of a property test.
 */
export default class Environment extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    super(config, context);
    vm.createContext = createContext;
  }
}
