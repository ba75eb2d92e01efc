import type { PdfDict } from '@libpdf/core';
import type { BarcodeEncoding } from '../draw/codes/barcode-encoder.ts';
import type { QrLevel } from '../draw/codes/qr/qr-capacity.ts';
import { isDict, nameOf, numberOf, type SourceDocument } from '../prepare/load-source.ts';
import type { SourceField } from './read-fields.ts';

/**
 * How the value of a barcode field is drawn, from /PMD, a PaperMetaData dictionary (Adobe Supplement to ISO 32000,
 * extension level 3). JSON.
 */
export type FieldBarcode =
  | {
      readonly kind: 'qr';
      readonly ecc: QrLevel;
      /** Side of a module in points, if the field specifies it. */
      readonly module: number | null;
    }
  | {
      readonly kind: 'barcode';
      readonly symbology: 'pdf417' | 'datamatrix';
      readonly encodings: readonly BarcodeEncoding[];
      readonly module: number | null;
    }
  | { readonly kind: 'unsupported'; readonly reason: string };

const QR_LEVELS: readonly QrLevel[] = ['L', 'M', 'Q', 'H'];
const DEFAULT_RESOLUTION = 300;

export function fieldBarcode(source: SourceDocument, field: SourceField): FieldBarcode | null {
  if (field.type !== 'text') return null;
  const data = paperMetaData(source, field);
  if (data === null) return null;
  const number = (key: string) => numberOf(source.resolve(data.get(key)));
  if ((number('nDataPrep') ?? 0) !== 0) {
    return { kind: 'unsupported', reason: 'its data is compressed (nDataPrep), which is not supported' };
  }
  const module = moduleOf(number('XSymWidth'), number('Resolution') ?? DEFAULT_RESOLUTION);
  const ecc = number('ECC');
  const symbology = nameOf(source.resolve(data.get('Symbology'))) ?? 'none';
  switch (symbology) {
    case 'QRCode':
      return { kind: 'qr', ecc: QR_LEVELS[ecc ?? 1] ?? 'M', module };
    case 'DataMatrix':
      return { kind: 'barcode', symbology: 'datamatrix', encodings: [{}], module };
    case 'PDF417': {
      const ratio = Math.round((number('XSymHeight') ?? 0) / (number('XSymWidth') ?? 1));
      const encoding: BarcodeEncoding = {
        ...(ecc !== null && ecc >= 0 && ecc <= 8 ? { eclevel: Math.floor(ecc) } : {}),
        ...(ratio >= 1 && ratio <= 4 ? { rowmult: ratio } : {}),
      };
      const columns = number('nCodeWordCol') ?? 0;
      // A value that is too long for the requested columns makes a wider symbol, if the field's box allows it.
      const encodings =
        columns >= 1 && columns <= 30
          ? [{ ...encoding, columns: Math.floor(columns) }, encoding]
          : [encoding];
      return { kind: 'barcode', symbology: 'pdf417', encodings, module };
    }
    default:
      return { kind: 'unsupported', reason: `its symbology (${symbology}) is not supported` };
  }
}

function paperMetaData(source: SourceDocument, field: SourceField): PdfDict | null {
  const dicts = [
    ...field.widgets.map(({ dict }) => dict),
    ...field.holders.map((ref) => source.resolve(ref)),
  ];
  for (const dict of dicts) {
    const data = isDict(dict) ? source.resolve(dict.get('PMD')) : null;
    if (isDict(data)) return data;
  }
  return null;
}

/** XSymWidth counts dots of the resolution, in dots per inch. */
function moduleOf(dots: number | null, resolution: number): number | null {
  const module = dots === null || resolution <= 0 ? 0 : (dots * 72) / resolution;
  return module > 0 && module <= 72 ? module : null;
}
