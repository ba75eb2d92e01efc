import { readFileSync } from 'node:fs';

/** The version of the product, from package.json, which is two folders up in the sources, in `dist` and in bundles. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
