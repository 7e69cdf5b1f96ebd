import { type Static, Type } from 'typebox';
import { Exact } from './building-blocks.ts';

/** The specification's error object (specification, Errors). */
export const ErrorSchema = Exact({
  code: Type.String(),
  field: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
});

/** Body of every error reply: RFC 9457 problem details with the specification's error objects. */
export const ProblemSchema = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.Optional(Type.String()),
  instance: Type.Optional(Type.String()),
  requestId: Type.Optional(Type.String()),
  errors: Type.Array(ErrorSchema, { minItems: 1 }),
});
export type Problem = Static<typeof ProblemSchema>;
