import type { Symbology } from '#fill/package/symbologies.ts';
import { isPostal } from './code-size.ts';
import { isGrouped, textOf, textShare } from './code-text.ts';
import { barsGrid, type LinearSymbol } from './linear-bars.ts';
import { type ModuleGrid, mergeModules } from './module-grid.ts';
import { paintedGrid, SymbolRecorder } from './painted-symbol.ts';
import type { EncodeCode } from './place-code.ts';
import { qrGrid } from './qr-code.ts';
import { quietZoneOf } from './quiet-zone.ts';
import { swissQrGrid } from './swiss-qr.ts';

/**
 * Encodes all symbologies of bwip-js as vectors. The result of bwip-js has one of three forms:
 *   bars      widths and heights of bars and spaces (linear codes)
 *   modules   a matrix of squares, or of rows that are several modules tall (PDF417)
 *   anything else (hexagons, dots, colours, rows of unequal height), recorded from its drawing calls
 */
export interface BarcodeEncoder {
  encoderFor(code: BarcodeLook): EncodeCode;
}

/** The members of an overlay that determine its symbol. Frames, texts and symbols of a fixed size depend on the box. */
export interface BarcodeLook {
  readonly symbology: Symbology;
  readonly width: number;
  readonly height: number;
  readonly human_readable?: boolean | undefined;
  /** Encodings to try instead of the default ones, in order. The first that can hold the value is used. */
  readonly encodings?: readonly BarcodeEncoding[] | undefined;
}

/** Options of PDF417 with the encoder's names: error correction level, height of a row in modules, data columns. */
export interface BarcodeEncoding {
  readonly eclevel?: number;
  readonly rowmult?: number;
  readonly columns?: number;
}

/** Loads bwip-js, two megabytes of generated code. Call it only for layouts that have a barcode. */
export async function loadBarcodeEncoder(): Promise<BarcodeEncoder> {
  const { default: bwip } = (await import('bwip-js/generic')) as unknown as { default: Bwip };
  return {
    encoderFor: (look) => {
      // Our own encoder makes the same symbol two hundred times faster.
      if (look.symbology === 'qrcode') return (value) => qrGrid(value, 'M') ?? { invalid: TOO_LONG };
      return (value) => encode(bwip, look, value);
    },
  };
}

interface Bwip {
  raw(options: object): readonly RawSymbol[];
  render(options: object, drawing: SymbolRecorder): unknown;
}

type RawSymbol = Partial<LinearSymbol> & Partial<MatrixSymbol> & { readonly txt?: readonly RawText[] };

/** Text, position, font and size. The encoder returns one entry, or one per character. */
type RawText = readonly [text: string, ...unknown[]];

interface MatrixSymbol {
  readonly pixs: readonly number[];
  readonly pixx: number;
  readonly pixy: number;
}

/** No symbology holds more characters than the largest QR code holds digits. */
const MAX_CHARACTERS = 7089;
/** The encoder tries 32 sizes, so a value that fits none is refused in advance (ISO/IEC 23941: at most 361 digits). */
const MAX_RMQR = 361;
const TOO_LONG = 'it is too long for this symbology.';

/** Symbols whose readers interpret bytes above 127 as UTF-8. All others contain Latin-1. */
const UTF8_SYMBOLOGIES: ReadonlySet<Symbology> = new Set([
  'azteccode',
  'azteccodecompact',
  'datamatrix',
  'datamatrixrectangular',
  'datamatrixrectangularextension',
  'dotcode',
  'hanxin',
  'micropdf417',
  'microqrcode',
  'pdf417',
  'pdf417compact',
  'qrcode',
  'rectangularmicroqrcode',
  'swissqrcode',
]);

function encode(bwip: Bwip, look: BarcodeLook, value: string): ModuleGrid | { readonly invalid: string } {
  const { symbology } = look;
  if (value.length > (symbology === 'rectangularmicroqrcode' ? MAX_RMQR : MAX_CHARACTERS)) {
    return { invalid: TOO_LONG };
  }
  const binarytext = !UTF8_SYMBOLOGIES.has(symbology);
  const alien = binarytext
    ? [...value].find((character) => (character.codePointAt(0) ?? 0) > 0xff)
    : undefined;
  if (alien !== undefined) {
    const hex = (alien.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return { invalid: `this symbology cannot carry U+${hex}.` };
  }
  const includetext = look.human_readable === true;
  let invalid = '';
  for (const choice of look.encodings ?? CHOICES[symbology] ?? [{}]) {
    const options = { bcid: symbology, text: value, binarytext, ...CHECKED[symbology], ...choice };
    try {
      const [symbol] = bwip.raw(includetext ? { ...options, includetext } : options);
      const grid = symbol === undefined ? undefined : gridOf(look, symbol, value);
      if (grid !== undefined) return grid;
      const recorder = new SymbolRecorder();
      bwip.render({ ...options, scale: 1 }, recorder);
      return paintedGrid(recorder, quietZoneOf(symbology), symbol?.pixx ?? MAXICODE_COLUMNS);
    } catch (error) {
      invalid ||= reasonOf(error);
    }
  }
  return { invalid };
}

/** The one symbology whose description lacks its width in modules. */
const MAXICODE_COLUMNS = 30;

/** Symbologies that scanners reject without check characters. The encoder adds them only on request. */
const WITH_CHECK = { includecheck: true, includecheckintext: true };
const CHECKED: Partial<Record<Symbology, object>> = {
  code11: WITH_CHECK,
  code93: { includecheck: true },
  code93ext: { includecheck: true },
  msi: WITH_CHECK,
};

/** Symbologies whose encoder requires a size. The first one that can hold the value is used. */
const CHOICES: Partial<Record<Symbology, readonly object[]>> = {
  mailmark: ['7', '9', '29'].map((type) => ({ type })),
  rectangularmicroqrcode: (
    'R7x43 R11x27 R9x43 R13x27 R7x59 R11x43 R9x59 R7x77 R13x43 R15x43 R11x59 R9x77 R7x99 R17x43 R13x59 R11x77 ' +
    'R15x59 R9x99 R7x139 R13x77 R17x59 R11x99 R15x77 R9x139 R13x99 R17x77 R15x99 R11x139 R17x99 R13x139 R15x139 R17x139'
  )
    .split(' ')
    .map((version) => ({ version })),
};

/** Returns undefined if the raw symbol does not describe everything that must be drawn. */
function gridOf(look: BarcodeLook, symbol: RawSymbol, value: string): ModuleGrid | undefined {
  const { symbology } = look;
  const quiet = quietZoneOf(symbology);
  if (symbol.sbs !== undefined && symbol.bhs !== undefined && symbol.bbs !== undefined) {
    const bars = {
      sbs: WIDE_IS_THREE.has(symbology) ? symbol.sbs.map((width) => 2 * width - 1) : symbol.sbs,
      bhs: symbol.bhs,
      bbs: symbol.bbs,
    };
    const text = look.human_readable === true ? textOf(symbology, symbol.txt, value) : undefined;
    const grid = barsGrid(bars, {
      quiet: quiet.x,
      bearer: symbology === 'itf14' ? BEARER : 0,
      textShare: text === undefined ? 0 : textShare(look),
      hasGuards: text !== undefined && isGrouped(symbology, text),
      aspect: look.width / look.height,
      isPostal: isPostal(symbology),
    });
    return text === undefined ? grid : { ...grid, text };
  }
  const { pixs, pixx, pixy } = symbol;
  if (pixs === undefined || pixx === undefined || pixy === undefined || symbology === 'dotcode')
    return undefined;
  const rows = pixs.length / pixx;
  const uniform = rows === pixy || symbology.includes('pdf417');
  if (!uniform || !Number.isInteger(pixy / rows) || pixs.some((pixel) => pixel !== 0 && pixel !== 1)) {
    return undefined;
  }
  const dark = (x: number, y: number) => pixs[y * pixx + x] === 1;
  if (symbology === 'swissqrcode') return swissQrGrid(pixx, dark, look);
  const tall = pixy / rows;
  const rectangles = mergeModules(pixx, rows, dark);
  for (let at = 0; at < rectangles.length; at += 4) {
    rectangles[at] = (rectangles[at] as number) + quiet.x;
    rectangles[at + 1] = (rectangles[at + 1] as number) * tall + quiet.y;
    rectangles[at + 3] = (rectangles[at + 3] as number) * tall;
  }
  return {
    width: pixx + 2 * quiet.x,
    height: pixy + 2 * quiet.y,
    rectangles,
    square: true,
    module: 1,
    modules: pixx * rows,
  };
}

/** Symbologies whose wide elements are three modules wide, although the encoder describes them as two. */
const WIDE_IS_THREE: ReadonlySet<Symbology> = new Set(['identcode', 'interleaved2of5', 'itf14', 'leitcode']);

/** Thickness of the bearer bars in modules; GS1 requires at least two. */
const BEARER = 4;

/** `bwipp.ean13badLength#6878: EAN-13 must be 12 or 13 digits` → the sentence. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const sentence = /^bwipp\.[^:]*: (.+)$/s.exec(message)?.[1];
  return sentence === undefined ? 'the encoder refuses it.' : `${sentence.replace(/\.$/, '')}.`;
}
