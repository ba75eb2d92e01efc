import type { Codec } from '../codec.ts';
import type { Layout, SourceMetadata } from './layout-schema.ts';
import { ASSET_NAME } from './layout-schema.ts';
import { missingAsset } from './missing-asset.ts';
import { LAYOUT_ENTRY } from './open-package.ts';
import { type PackageRefusal, refusal } from './parse-layout.ts';
import { CONTAINER_CAPS } from './read-container.ts';
import { makeSeal, SEAL_ENTRY } from './seal.ts';
import { writeContainer } from './write-container.ts';

/**
 * Creates a `.doqlo` package. It contains the parsed layout with every default written out, so that a sealed package keeps its
 * meaning if a later version has other defaults. The same input and key produce the same bytes: Ed25519 needs no randomness
 * (RFC 8032 §5.1.6).
 */
export interface SealPackageInput {
  readonly layout: Layout;
  readonly source: SourceMetadata;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly secretKey: Uint8Array;
  readonly codec: Pick<Codec, 'sha256Hex' | 'crc32'>;
}

export function sealPackage(
  input: SealPackageInput,
): { readonly ok: true; readonly bytes: Uint8Array } | PackageRefusal {
  const badName = [...input.assets.keys()].find((name) => !ASSET_NAME.test(name));
  if (badName !== undefined) return refusal('PACKAGE_INVALID', `${badName} is not a usable asset name.`);
  const missing = missingAsset(input.layout, input.assets);
  if (missing !== null) return refusal('PACKAGE_INVALID', `The font file ${missing} is missing.`);

  const layout = { ...input.layout, source: input.source };
  const entries = new Map<string, Uint8Array>(input.assets);
  entries.set(LAYOUT_ENTRY, new TextEncoder().encode(`${JSON.stringify(layout, null, 1)}\n`));
  entries.set(SEAL_ENTRY, makeSeal(entries, input.secretKey, input.codec));
  const bytes = writeContainer(entries, input.codec);
  if (bytes.length > CONTAINER_CAPS.fileBytes || entries.size > CONTAINER_CAPS.entries) {
    return refusal(
      'PACKAGE_TOO_LARGE',
      `The package would be larger than ${CONTAINER_CAPS.fileBytes} bytes.`,
    );
  }
  return { ok: true, bytes };
}
