import type { InternalClaims } from '@assay/contracts';

// What the middlewares provide for the routes, in `response.locals`.
declare global {
  namespace Express {
    interface Locals {
      requestId: string;
      claims?: InternalClaims;
    }
  }
}
