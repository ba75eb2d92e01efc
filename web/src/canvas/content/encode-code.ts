import { tooSmall } from '#fill/draw/codes/code-size.ts';
import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import { codeItem } from '#fill/draw/codes/place-code.ts';
import type { OverlayWith } from '#fill/kinds/overlay-schema.ts';
import type { CodeTool, EncodedCode } from '../../kinds/kind-tool.ts';
import { toolOf } from '../../kinds/tools.ts';

/**
 * Encodes codes with the engine's encoders, so that the canvas shows and checks what will be printed. They are loaded when
 * a page first contains a code: the barcode encoder is two megabytes.
 */
type CodeOverlay = OverlayWith<'isCode'>;

const MEMO = 500;
const memo = new Map<string, EncodedCode>();

function codeToolOf(overlay: CodeOverlay): CodeTool {
  const { code } = toolOf(overlay);
  if (code === undefined) throw new Error(`bug: the kind ${overlay.type} has no encoder`);
  return code;
}

export const codeKey = (overlay: CodeOverlay, value: string): string =>
  codeToolOf(overlay).key(overlay, value);

/** Returns the code if it is cached. */
export const knownCode = (overlay: CodeOverlay, value: string): EncodedCode | undefined =>
  memo.get(codeKey(overlay, value));

export async function encodeCode(overlay: CodeOverlay, value: string): Promise<EncodedCode> {
  const key = codeKey(overlay, value);
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made =
    value.trim() === ''
      ? { invalid: 'the value is blank.' }
      : await codeToolOf(overlay).encode(overlay, value);
  if (memo.size >= MEMO) memo.clear();
  memo.set(key, made);
  return made;
}

/** The width of a code as the engine draws it in its box. */
export function drawnWidth(overlay: CodeOverlay, grid: ModuleGrid): number {
  return codeItem(overlay.id, overlay, BLACK, grid).ground.width;
}

/** The engine's note about a code that is too small to scan, otherwise null. */
export function smallCode(overlay: CodeOverlay, grid: ModuleGrid): string | null {
  return tooSmall(grid, drawnWidth(overlay, grid), overlay, codeToolOf(overlay).leastModule(overlay));
}

const BLACK = { r: 0, g: 0, b: 0 };
