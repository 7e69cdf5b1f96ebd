import { Type } from 'typebox';
import { present } from '../present.ts';

/**
 * A switch. Forms and references show its title and description. The preset applies if nothing is
 * set.
 */
export const flag = (title: string, description: string, preset?: boolean) =>
  Type.Optional(Type.Boolean({ title, description, ...present({ default: preset }) }));
/** A hundred years: a later date is no plan, and far enough on none at all. */
export const LONGEST_SECONDS = 100 * 366 * 24 * 3600;

/** A time in seconds. */
export const seconds = (title: string, description: string, preset?: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LONGEST_SECONDS,
      title,
      description: `${description}; whole seconds, from 1 to a hundred years`,
      ...present({ default: preset }),
    }),
  );
/** A number from 1. Without a maximum of its own it is bound only by what JSON carries exactly. */
export const positive = (title: string, description: string, preset: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, title, description, default: preset }));
