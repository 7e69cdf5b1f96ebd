import { createHmac } from 'node:crypto';

/**
 * Names what a tenant calls a person without saying it: equal for equal names of one tenant, and
 * good for nothing without the key.
 */
export const businessReference = (key: Buffer, tenantId: string, businessId: string): string =>
  createHmac('sha256', key).update(`${tenantId}\n${businessId}`).digest('base64url');
