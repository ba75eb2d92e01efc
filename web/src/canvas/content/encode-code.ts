import type { BarcodeOverlay, QrOverlay } from '../../../../src/fill/package/layout-schema.ts';
import type { ModuleGrid } from '../../../../src/fill/row/codes/module-grid.ts';

/**
 * Codes by the engine's own encoders, so that the canvas shows and checks what will be printed. They are loaded when the
 * first code is on a page: the barcode encoder is two megabytes.
 */
export type EncodedCode = ModuleGrid | { readonly invalid: string };
export type CodeKind = Pick<QrOverlay, 'type' | 'ecc'> | Pick<BarcodeOverlay, 'type' | 'symbology'>;

const MEMO = 500;
const memo = new Map<string, EncodedCode>();

const keyOf = (code: CodeKind, value: string) =>
  `${code.type === 'qr' ? `qr ${code.ecc}` : code.symbology}\n${value}`;

/** The code if it was encoded before. */
export const knownCode = (code: CodeKind, value: string): EncodedCode | undefined =>
  memo.get(keyOf(code, value));

export async function encodeCode(code: CodeKind, value: string): Promise<EncodedCode> {
  const key = keyOf(code, value);
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = value.trim() === '' ? { invalid: 'the value is blank.' } : await encode(code, value);
  if (memo.size >= MEMO) memo.clear();
  memo.set(key, made);
  return made;
}

async function encode(code: CodeKind, value: string): Promise<EncodedCode> {
  if (code.type === 'qr') {
    const { qrGrid } = await import('../../../../src/fill/row/codes/qr-code.ts');
    return qrGrid(value, code.ecc) ?? { invalid: `it is too long for a QR code of level ${code.ecc}.` };
  }
  const { loadBarcodeEncoder } = await import('../../../../src/fill/row/codes/barcode-encoder.ts');
  return (await loadBarcodeEncoder()).encoderFor(code.symbology)(value);
}
