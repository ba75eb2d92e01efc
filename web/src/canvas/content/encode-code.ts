import { LEAST_MODULE, leastModule, tooSmall } from '#fill/draw/codes/code-size.ts';
import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import { codeItem } from '#fill/draw/codes/place-code.ts';
import type { BarcodeOverlay } from '#fill/kinds/barcode/schema.ts';
import type { QrOverlay } from '#fill/kinds/qr/schema.ts';

/**
 * Codes by the engine's own encoders, so that the canvas shows and checks what will be printed. They are loaded when the
 * first code is on a page: the barcode encoder is two megabytes.
 */
export type EncodedCode = ModuleGrid | { readonly invalid: string };
export type CodeKind =
  | Pick<QrOverlay, 'type' | 'ecc'>
  | Pick<BarcodeOverlay, 'type' | 'symbology' | 'width' | 'height' | 'human_readable'>;

const MEMO = 500;
const memo = new Map<string, EncodedCode>();

/** Symbols that are shaped by their box are encoded again when it changes. */
export function codeKey(code: CodeKind, value: string): string {
  if (code.type === 'qr') return `qr ${code.ecc}\n${value}`;
  const { symbology, width, height, human_readable } = code;
  const isShaped = human_readable === true || symbology === 'itf14' || symbology === 'swissqrcode';
  return `${symbology}${isShaped ? ` ${human_readable} ${width} ${height}` : ''}\n${value}`;
}

/** The code if it was encoded before. */
export const knownCode = (code: CodeKind, value: string): EncodedCode | undefined =>
  memo.get(codeKey(code, value));

export async function encodeCode(code: CodeKind, value: string): Promise<EncodedCode> {
  const key = codeKey(code, value);
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = value.trim() === '' ? { invalid: 'the value is blank.' } : await encode(code, value);
  if (memo.size >= MEMO) memo.clear();
  memo.set(key, made);
  return made;
}

/** How wide the engine draws a code in its box. */
export function drawnWidth(overlay: QrOverlay | BarcodeOverlay, grid: ModuleGrid): number {
  return codeItem(overlay.id, overlay, BLACK, grid).ground.width;
}

/** The engine's note about a code that is too small to scan, otherwise null. */
export function smallCode(overlay: QrOverlay | BarcodeOverlay, grid: ModuleGrid): string | null {
  const least = overlay.type === 'qr' ? LEAST_MODULE : leastModule(overlay.symbology);
  return tooSmall(grid, drawnWidth(overlay, grid), overlay, least);
}

const BLACK = { r: 0, g: 0, b: 0 };

async function encode(code: CodeKind, value: string): Promise<EncodedCode> {
  if (code.type === 'qr') {
    const { qrGrid } = await import('#fill/draw/codes/qr-code.ts');
    return qrGrid(value, code.ecc) ?? { invalid: `it is too long for a QR code of level ${code.ecc}.` };
  }
  const { loadBarcodeEncoder } = await import('#fill/draw/codes/barcode-encoder.ts');
  return (await loadBarcodeEncoder()).encoderFor(code)(value);
}
