import { createDoctorRoute, type InternalKeys, methodNotAllowed, reply, requireToken } from '@assay/http';
import express, { type Express, Router } from 'express';
import {
  createDeliveriesRoute,
  createRecoverRoute,
  createResendRoute,
  type Deps as DeliveryDeps,
} from './deliveries.ts';
import {
  createEndpointRoute,
  createHealthRoute,
  createPutEndpointRoute,
  createTestRoute,
  type Deps as EndpointDeps,
} from './endpoints.ts';

export interface Deps extends DeliveryDeps, EndpointDeps {
  /** Check the tokens of calls between services. */
  keys: InternalKeys;
}

// Not strict: `null` is a body, it removes the endpoint.
const anyJson = express.json({ strict: false, limit: 64 * 1024, type: () => true });

/** Every internal route of the notifier; only the gateway calls them. */
export const routes =
  (deps: Deps) =>
  (app: Express): void => {
    const router = Router();
    router.use(requireToken(deps.keys, ['gateway']));
    router.post('/endpoints/health', anyJson, reply(createHealthRoute(deps)));
    router.put('/endpoints/:tenantId', anyJson, reply(createPutEndpointRoute(deps)));
    router.get('/endpoints/:tenantId', reply(createEndpointRoute(deps)));
    router.all('/endpoints/:tenantId', methodNotAllowed('GET', 'PUT'));
    router.post('/endpoints/:tenantId/test', reply(createTestRoute(deps)));
    router.get('/deliveries', reply(createDeliveriesRoute(deps)));
    router.post('/deliveries/recover', anyJson, reply(createRecoverRoute(deps)));
    router.post('/deliveries/:deliveryId/resend', reply(createResendRoute(deps)));
    router.get('/doctor', reply(createDoctorRoute('notifier')));
    app.use('/internal/v1', router);
  };
