import { z } from 'zod';
import { findLayoutProblems, type LayoutProblem } from '#fill/layout-problems.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { type Layout, layoutSchema } from '#fill/package/layout-schema.ts';
import { parseLayout, readLayoutJson } from '#fill/package/parse-layout.ts';
import { sealPackage } from '#fill/package/seal-package.ts';
import type { SourceMetadata } from '#fill/package/source-metadata.ts';
import type { Inspected } from '#fill/prepare/read-source-metadata.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import type { ConsoleCode } from '../errors.ts';

export interface SealerParts {
  readonly secretKey: Uint8Array;
  /** Reads an untrusted PDF in a capped child process. */
  inspect(pdf: Uint8Array, turn: Turn): Promise<Inspected>;
}

export interface SealOrder {
  readonly layout: string;
  readonly pdf: Uint8Array;
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

export type SealedPackage =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      readonly code: ConsoleCode;
      readonly message: string;
      readonly details?: readonly LayoutProblem[];
    };

/**
 * Seals packages for the editor, as `rowpress layout seal --strict` does: the same layout, PDF and key give the same bytes.
 * Strict, because the editor can show each mistake at its overlay.
 */
export class PackageSealer {
  readonly #parts: SealerParts;

  constructor(parts: SealerParts) {
    this.#parts = parts;
  }

  async seal({ layout: text, pdf, assets }: SealOrder, turn: Turn): Promise<SealedPackage> {
    const parsed = parseLayout(text);
    if (!parsed.ok) return invalid(parsed.message, schemaProblems(text));
    const inspected = await this.#parts.inspect(pdf, turn);
    if (!inspected.ok) {
      const { code, message } = inspected;
      return code === 'PACKAGE_INVALID' ? invalid(message, []) : { ok: false, code, message };
    }
    const problems = await findLayoutProblems(parsed.layout, inspected.metadata, assets);
    if (problems.length > 0) return invalid('The layout does not fit the PDF and its assets.', problems);
    return this.#sealed(parsed.layout, inspected.metadata, assets);
  }

  #sealed(layout: Layout, source: SourceMetadata, assets: SealOrder['assets']): SealedPackage {
    const { secretKey } = this.#parts;
    const sealed = sealPackage({ layout, source, assets, secretKey, codec: nativeCodec });
    if (sealed.ok) return sealed;
    if (sealed.code === 'PACKAGE_TOO_LARGE') return { ok: false, code: sealed.code, message: sealed.message };
    return invalid(sealed.message, []);
  }
}

function invalid(message: string, details: readonly LayoutProblem[]): SealedPackage {
  const shown = details.length === 0 ? [{ path: '', message }] : details;
  return { ok: false, code: 'LAYOUT_INVALID', message, details: shown };
}

/** Every mistake that the schema finds, with its overlay. */
function schemaProblems(text: string): LayoutProblem[] {
  const read = readLayoutJson(text);
  if (!read.ok) return [];
  const { value } = read;
  const parsed = layoutSchema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({
    path: z.core.toDotPath(path),
    ...overlayAt(value, path),
    message,
  }));
}

function overlayAt(value: unknown, [list, index]: readonly PropertyKey[]): { overlay_id?: string } {
  if (list !== 'overlays' || typeof index !== 'number') return {};
  const id = (value as { overlays?: { id?: unknown }[] }).overlays?.[index]?.id;
  return typeof id === 'string' ? { overlay_id: id } : {};
}
