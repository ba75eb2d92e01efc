import { z } from 'zod';
import type { KindTraits } from './overlay-kind.ts';
import type { KINDS } from './registry.ts';
import { SCHEMAS } from './schemas.ts';

/** Anything that can be placed on a page. */
export const overlaySchema = z.discriminatedUnion('type', SCHEMAS);

export type Overlay = z.infer<typeof overlaySchema>;
export type OverlayType = Overlay['type'];

/** The overlays of kinds that have a trait. */
export type OverlayWith<Trait extends keyof KindTraits> = Extract<
  Overlay,
  { type: Extract<(typeof KINDS)[number], { readonly traits: Readonly<Record<Trait, true>> }>['type'] }
>;
