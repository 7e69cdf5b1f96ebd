import { methodNotAllowed, reply, requireToken } from '@assay/http';
import express, { type Express, Router } from 'express';
import type { Notifier } from '../service.ts';
import { createDeliveriesRoute, createResendRoute } from './deliveries.ts';
import { createEndpointRoute, createPutEndpointRoute, createTestRoute } from './endpoints.ts';

// Not strict: `null` is a body, it takes the endpoint away.
const anyJson = express.json({ strict: false, limit: 64 * 1024, type: () => true });

/** Every internal route of the notifier; all need a token of the suite. */
export const routes =
  (notifier: Notifier, secret: string) =>
  (app: Express): void => {
    const router = Router();
    router.use(requireToken(secret));
    router.put('/endpoints/:tenantId', anyJson, reply(createPutEndpointRoute(notifier)));
    router.get('/endpoints/:tenantId', reply(createEndpointRoute(notifier)));
    router.all('/endpoints/:tenantId', methodNotAllowed('GET', 'PUT'));
    router.post('/endpoints/:tenantId/test', reply(createTestRoute(notifier)));
    router.get('/deliveries', reply(createDeliveriesRoute(notifier)));
    router.post('/deliveries/:deliveryId/resend', reply(createResendRoute(notifier)));
    app.use('/internal/v1', router);
  };
