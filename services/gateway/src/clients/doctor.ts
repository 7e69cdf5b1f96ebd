import { type ServiceFindings, ServiceFindingsSchema } from '@assay/contracts';
import type { InternalClient, ServiceName } from '@assay/http';

/** The services beside the gateway. */
export type Neighbour = Exclude<ServiceName, 'gateway'>;

export interface DoctorClient {
  neighbours: readonly Neighbour[];
  /**
   * What one process of a service found about itself, and when it was asked and answered by our
   * clock. 503 when it does not answer.
   */
  examine(service: Neighbour, requestId: string): Promise<ServiceFindings>;
}

/** Asks each service for what it finds about itself. */
export const createDoctorClient = (clients: Readonly<Record<Neighbour, InternalClient>>): DoctorClient => ({
  neighbours: Object.keys(clients) as Neighbour[],
  examine: (service, requestId) => {
    const claims = { tenantId: 'suite', identityId: 'suite', requestId };
    return clients[service].getJson('/internal/v1/doctor', claims, ServiceFindingsSchema);
  },
});
