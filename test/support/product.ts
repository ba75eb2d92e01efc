import { getScheme } from '#engine/webhooks/webhook-scheme.ts';
import { dialectsOf, keyKindsOf, schemesOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';

/** The registries that the composition root derives from the product's surfaces. */
export const dialects = dialectsOf(surfaces);
export const keyKinds = keyKindsOf(surfaces);
export const schemes = schemesOf(surfaces);
export const schemeNamed = (name: string) => getScheme(schemes, name);
