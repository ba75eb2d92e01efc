import { z } from 'zod';
import type { KindTraits } from './overlay-kind.ts';
import { KINDS } from './registry.ts';

type Kind = (typeof KINDS)[number];
type Schemas = [Kind['schema'], ...Kind['schema'][]];

/** Anything that can be placed on a page. */
export const overlaySchema = z.discriminatedUnion('type', KINDS.map(({ schema }) => schema) as Schemas);

export type Overlay = z.infer<typeof overlaySchema>;
export type OverlayType = Overlay['type'];

/** The overlays of kinds that have a trait. */
export type OverlayWith<Trait extends keyof KindTraits> = z.infer<
  Extract<Kind, { readonly traits: Readonly<Record<Trait, true>> }>['schema']
>;
