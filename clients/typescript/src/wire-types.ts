import type { Camel } from './camel-case.ts';
import type { components } from './wire.ts';

export type SchemaName = keyof components['schemas'];

/** A schema of the OpenAPI document, with camelCase members. */
export type Wire<Name extends SchemaName> = Camel<components['schemas'][Name]>;
