import { Type } from 'typebox';
import { present } from '../present.ts';

/**
 * A switch. Forms and references show its title and description. The preset applies if nothing is
 * set.
 */
export const flag = (title: string, description: string, preset?: boolean) =>
  Type.Optional(Type.Boolean({ title, description, ...present({ default: preset }) }));
/** A time in seconds. */
export const seconds = (title: string, description: string, preset?: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      title,
      description: `${description}; whole seconds, from 1`,
      ...present({ default: preset }),
    }),
  );
/** A number from 1. */
export const positive = (title: string, description: string, preset: number) =>
  Type.Optional(Type.Integer({ minimum: 1, title, description, default: preset }));
