import type { PdfDict } from '@libpdf/core';
import { isDict, nameOf, numberOf, numbersOf, type SourceDocument } from '../prepare/load-source.ts';
import { exactPdfNumber, pdfNumber } from '../write/pdf-number.ts';
import type { WidgetLook } from './form-state.ts';
import { acroForm, combCells, type SourceField, type SourceWidget, textOf } from './read-fields.ts';
import { borderOf, borderPath, borderRelief, type WidgetBorder } from './widget-border.ts';

/** Reads a widget's rectangle, colours, border and default appearance string. */
export function widgetLook(source: SourceDocument, field: SourceField, widget: SourceWidget): WidgetLook {
  const { left, bottom, right, top } = widgetRect(source, widget.dict);
  const width = right - left;
  const height = top - bottom;
  const style = source.resolve(widget.dict.get('MK'));
  const characteristics = isDict(style) ? style : null;
  const turns = rotationOf(numberOf(source.resolve(characteristics?.get('R'))) ?? 0);
  const sideways = turns === 90 || turns === 270;
  const box = sideways ? { width: height, height: width } : { width, height };
  const border = borderOf(source, widget.dict);
  const font = defaultFont(source, widget.defaultAppearance ?? '');
  return {
    ...box,
    head: boxHead(box, turns, width, height, 0, 0),
    placedHead: boxHead(box, turns, width, height, left, bottom),
    ground: groundOperators(source, characteristics, box, border, combCells(field)),
    padding: Math.max(2, 2 * border.width),
    ...font,
    align: widget.quadding === 1 ? 'center' : widget.quadding === 2 ? 'right' : 'left',
    mark: markOf(textOf(source.resolve(characteristics?.get('CA'))), field.type),
  };
}

export interface WidgetRect {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export function widgetRect(source: SourceDocument, widget: PdfDict): WidgetRect {
  const [a = 0, b = 0, c = 0, d = 0] = numbersOf(source, source.resolve(widget.get('Rect'))) ?? [];
  return { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
}

const rotationOf = (degrees: number) => (((Math.round(degrees / 90) % 4) + 4) % 4) * 90;

/** Returns a Form XObject dictionary that maps an upright box to a rectangle at (x, y). /MK /R rotates it counterclockwise. */
function boxHead(
  box: { readonly width: number; readonly height: number },
  turns: number,
  width: number,
  height: number,
  x: number,
  y: number,
): string {
  const matrix = {
    0: [1, 0, 0, 1, x, y],
    90: [0, 1, -1, 0, x + width, y],
    180: [-1, 0, 0, -1, x + width, y + height],
    270: [0, -1, 1, 0, x, y + height],
  }[turns];
  const upright = turns === 0 && x === 0 && y === 0;
  return (
    `<</Type/XObject/Subtype/Form/BBox[0 0 ${pdfNumber(box.width)} ${pdfNumber(box.height)}]` +
    `${upright ? '' : `/Matrix[${matrix?.map(exactPdfNumber).join(' ')}]`}/Resources`
  );
}

function groundOperators(
  source: SourceDocument,
  characteristics: PdfDict | null,
  { width, height }: { width: number; height: number },
  border: WidgetBorder,
  cells: number,
): string {
  const operators: string[] = [];
  const fill = colorOperands(source, characteristics, 'BG');
  if (fill !== null)
    operators.push(`${fill.operands} ${fill.operator} 0 0 ${pdfNumber(width)} ${pdfNumber(height)} re f`);
  const line = colorOperands(source, characteristics, 'BC');
  if (line !== null && border.width > 0) {
    const dividers = Array.from({ length: Math.max(0, cells - 1) }, (_, index) => {
      const x = pdfNumber(((index + 1) * width) / cells);
      return `${x} 0 m ${x} ${pdfNumber(height)} l `;
    });
    operators.push(
      ...borderRelief(border, width, height),
      `${line.operands} ${line.operator.toUpperCase()} ${borderPath(border, width, height)} ${dividers.join('')}S`,
    );
  }
  return operators.length === 0 ? '' : `q ${operators.join(' ')} Q\n`;
}

const COLOR_OPERATORS: Record<number, string> = { 1: 'g', 3: 'rg', 4: 'k' };

function colorOperands(source: SourceDocument, characteristics: PdfDict | null, key: string) {
  const numbers = numbersOf(source, source.resolve(characteristics?.get(key)));
  const operator = COLOR_OPERATORS[numbers?.length ?? 0];
  if (numbers === null || operator === undefined) return null;
  return { operands: numbers.map((value) => pdfNumber(Math.min(1, Math.max(0, value)))).join(' '), operator };
}

const chosenFont = (appearance: string) =>
  [...appearance.matchAll(/\/([^\s/<>[\]()]+)\s+(-?[\d.]+)\s+Tf/g)].at(-1);

/** Returns the resource name of the font that a default appearance string selects. */
export const fontNameOf = (appearance: string): string | null => chosenFont(appearance)?.[1] ?? null;

/** Reads the last font and colour that the default appearance string sets, e.g. `/Helv 12 Tf 0 g`. */
function defaultFont(
  source: SourceDocument,
  appearance: string,
): Pick<WidgetLook, 'font' | 'bold' | 'italic' | 'size' | 'color'> {
  const chosen = chosenFont(appearance);
  const name = `${chosen?.[1] ?? ''} ${baseFontOf(source, chosen?.[1] ?? '')}`;
  const size = Number(chosen?.[2] ?? 0);
  return {
    font: /cour|mono|consol|typewriter/i.test(name)
      ? 'mono'
      : /times|tiro|serif|roman|georgia|garamond/i.test(name) && !/sans/i.test(name)
        ? 'serif'
        : 'sans',
    bold: /bold|black|heavy|\b(HeBo|TiBo|CoBo)/i.test(name),
    italic: /italic|oblique/i.test(name),
    size: Number.isFinite(size) && size > 0 ? Math.min(size, 2000) : 0,
    color: colorOf(appearance),
  };
}

function baseFontOf(source: SourceDocument, name: string): string {
  const resources = source.resolve(acroForm(source)?.get('DR'));
  const fonts = isDict(resources) ? source.resolve(resources.get('Font')) : null;
  const font = isDict(fonts) ? source.resolve(fonts.get(name)) : null;
  return isDict(font) ? (nameOf(source.resolve(font.get('BaseFont'))) ?? '') : '';
}

function colorOf(appearance: string): string {
  const found = [...appearance.matchAll(/((?:-?[\d.]+\s+){1,4})(g|rg|k)(?=\s|$)/g)].at(-1);
  const numbers = (found?.[1] ?? '').trim().split(/\s+/).map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = numbers.map((value) =>
    Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0)),
  );
  const rgb =
    found?.[2] === 'k'
      ? [(1 - a) * (1 - d), (1 - b) * (1 - d), (1 - c) * (1 - d)]
      : found?.[2] === 'rg'
        ? [a, b, c]
        : [a, a, a];
  return `#${rgb
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** ZapfDingbats codes that /MK /CA names. */
function markOf(caption: string | null, type: string): WidgetLook['mark'] {
  switch (caption) {
    case '8':
      return 'cross';
    case 'l':
      return 'dot';
    case 'n':
      return 'square';
    case '4':
      return 'check';
    default:
      return type === 'radio' ? 'dot' : 'check';
  }
}
