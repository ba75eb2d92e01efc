import type { ValueSource } from '#fill/package/value-schema.ts';

const ASSET_LIKE = /^(assets\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.[A-Za-z]{3,4}$/;

/** Returns a problem if a static value looks like the name of an asset that does not exist. */
export function missingAsset(
  value: ValueSource | undefined,
  assets: ReadonlyMap<string, Uint8Array>,
): string | undefined {
  if (value === undefined || !('static' in value)) return undefined;
  const name = value.static;
  if (!ASSET_LIKE.test(name) || assets.has(name) || assets.has(`assets/${name}`)) return undefined;
  return `there is no asset ${name}`;
}
