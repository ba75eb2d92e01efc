import type { Codec } from '../codec.ts';
import type { Layout } from './layout-schema.ts';
import { ASSET_NAME } from './layout-schema.ts';
import { missingAsset } from './missing-asset.ts';
import { type PackageRefusal, parseLayout, refusal } from './parse-layout.ts';
import { CONTAINER_CAPS, readContainer } from './read-container.ts';
import { SEAL_ENTRY, verifySeal } from './seal.ts';
import { writeContainer } from './write-container.ts';

/**
 * Opens a `.doqlo` package, strictly. The first problem in this order determines the code:
 * not a readable ZIP, or parts missing → MALFORMED · contents or container differ from what was sealed → TAMPERED ·
 * sealed correctly by a key this installation does not trust, or a later version → UNSUPPORTED · a trusted seal over a
 * layout that breaks the schema → INVALID.
 *
 * The signature covers the entries' contents. The ZIP around them has fields without meaning (dates, attributes, extra
 * fields). Those are checked by writing the container again in its only valid form and comparing all bytes.
 */
export const LAYOUT_ENTRY = 'layout.json';

export interface OpenedPackage {
  readonly layout: Layout;
  /** By entry name, `assets/logo.png`. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
  /** The public key that sealed it, lower-case hex. */
  readonly sealedBy: string;
}

export interface OpenPackageOptions {
  readonly codec: Pick<Codec, 'sha256Hex' | 'crc32'>;
  /** Public keys in lower-case hex: the installation's own and those its operator added. */
  readonly trustedKeys: readonly string[];
  readonly maxBytes?: number;
}

export type OpenPackageResult = { readonly ok: true; readonly package: OpenedPackage } | PackageRefusal;

export function openPackage(bytes: Uint8Array, options: OpenPackageOptions): OpenPackageResult {
  const { codec, trustedKeys, maxBytes = CONTAINER_CAPS.fileBytes } = options;
  if (bytes.length > maxBytes) {
    return refusal('PACKAGE_TOO_LARGE', `The package is larger than ${maxBytes} bytes.`);
  }
  const container = readContainer(bytes, codec);
  if (!container.ok) {
    return refusal(
      container.kind === 'tampered' ? 'PACKAGE_TAMPERED' : 'PACKAGE_MALFORMED',
      container.message,
    );
  }
  const { entries } = container;
  const layoutBytes = entries.get(LAYOUT_ENTRY);
  if (layoutBytes === undefined) return refusal('PACKAGE_MALFORMED', 'The package has no layout.json.');
  const sealBytes = entries.get(SEAL_ENTRY);
  if (sealBytes === undefined) return refusal('PACKAGE_TAMPERED', 'The package is not sealed.');
  const stranger = [...entries.keys()].find(
    (name) => name !== LAYOUT_ENTRY && name !== SEAL_ENTRY && !ASSET_NAME.test(name),
  );
  if (stranger !== undefined) {
    return refusal('PACKAGE_TAMPERED', `The package holds ${stranger}, which has no place in it.`);
  }

  const seal = verifySeal(sealBytes, entries, codec);
  if (!seal.ok) {
    const codes = {
      malformed: 'PACKAGE_MALFORMED',
      tampered: 'PACKAGE_TAMPERED',
      unsupported: 'PACKAGE_UNSUPPORTED',
    } as const;
    return refusal(codes[seal.kind], seal.message);
  }
  if (!equalBytes(writeContainer(entries, codec), bytes)) {
    return refusal('PACKAGE_TAMPERED', 'The package was packed again after sealing.');
  }
  if (!trustedKeys.includes(seal.publicKey)) {
    return refusal(
      'PACKAGE_UNSUPPORTED',
      `The package was sealed by another installation, whose key ${seal.publicKey} is not trusted here.`,
    );
  }

  const parsed = parseLayout(layoutBytes);
  if (!parsed.ok)
    return parsed.code === 'PACKAGE_MALFORMED' ? { ...parsed, code: 'PACKAGE_INVALID' } : parsed;
  const assets = new Map([...entries].filter(([name]) => ASSET_NAME.test(name)));
  const missing = missingAsset(parsed.layout, assets);
  if (missing !== null)
    return refusal('PACKAGE_INVALID', `The package lacks ${missing}, which a font names.`);
  return { ok: true, package: { layout: parsed.layout, assets, sealedBy: seal.publicKey } };
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return false;
  }
  return true;
}
