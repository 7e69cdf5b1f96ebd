import { createHmac } from 'node:crypto';

/**
 * A reference to a person without the business id: equal for equal business ids of one tenant, and
 * useless without the key.
 */
export const businessReference = (key: Buffer, tenantId: string, businessId: string): string =>
  createHmac('sha256', key).update(`${tenantId}\n${businessId}`).digest('base64url');
