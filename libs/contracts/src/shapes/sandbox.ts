import { type Static, Type } from 'typebox';
import { Exact } from './building-blocks.ts';

const PlayedIndicator = Type.String({
  pattern: '^[A-Z][A-Z0-9_]+_(OK|WARNING|FAILED|UNVERIFIED|VERIFIED)$',
  maxLength: 80,
  description: 'a check and what it says, such as LCD_DETECTION_FAILED',
});

/** One outcome to be played, and its parameters. The name is one of the catalogue's. */
export const SandboxPlaySchema = Exact({
  outcome: Type.String({ minLength: 1, maxLength: 64 }),
  indicators: Type.Optional(
    Type.Array(PlayedIndicator, {
      maxItems: 20,
      description: "further indicators, in place of the outcome's of the same check",
    }),
  ),
  delaySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, description: 'PROCESSING for this long' })),
  webhookFailures: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'first attempts of its webhook that fail with 500, unsent' }),
  ),
});
export type SandboxPlay = Static<typeof SandboxPlaySchema>;
