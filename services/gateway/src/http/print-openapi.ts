import manifest from '../../package.json' with { type: 'json' };
import { openApiOf } from './openapi.ts';
import { routeGroups } from './routes.ts';

/* openapi.json without a running suite: only the tables of the routes are looked at. */

const prefix = process.argv[2] ?? 'svc';
const groups = routeGroups({ policies: { list: () => [], named: () => undefined }, rabbitmq: {} } as never);
const named = groups.map(({ base, routes }) => ({ base: base.replace('{prefix}', prefix), routes }));
process.stdout.write(`${JSON.stringify(openApiOf(named, prefix, manifest.version), null, 2)}\n`);
