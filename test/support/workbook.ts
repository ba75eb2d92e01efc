import { strToU8, zipSync } from 'fflate';

/** A number with a format code (`{ n: 42, as: '00000' }`), a date as a day number, an error, or XML of its own (`{ xml }`, with REF for the cell). */
export type WorkbookCell =
  | string
  | number
  | bigint
  | boolean
  | null
  | { readonly day: number }
  | { readonly n: number | string; readonly as: string }
  | { readonly text: string; readonly as: string }
  | { readonly error: string }
  | { readonly xml: string };

export interface WorkbookExtras {
  readonly date1904?: boolean;
  /** Ranges such as `A1:B2`. */
  readonly merged?: readonly string[];
  /** XML of the items of xl/sharedStrings.xml. */
  readonly strings?: string;
  /** A sheet before the one with the rows. */
  readonly before?: { readonly state: 'hidden' | 'veryHidden' | 'visible'; readonly cell: string };
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Builds a small XLSX workbook (ECMA-376) with one sheet. Numbers are written as given, dates as day numbers. */
export function workbook(
  rows: readonly (readonly WorkbookCell[])[],
  { date1904 = false, merged = [], strings = '', before }: WorkbookExtras = {},
): Uint8Array {
  const codes: string[] = [];
  const styleOf = (code: string) => {
    if (!codes.includes(code)) codes.push(code);
    return codes.indexOf(code) + 2;
  };
  const inline = (text: string) => `<is><t xml:space="preserve">${escaped(text)}</t></is>`;
  const cell = (value: WorkbookCell, ref: string): string => {
    if (value === null) return '';
    if (typeof value === 'string') return `<c r="${ref}" t="inlineStr">${inline(value)}</c>`;
    if (typeof value === 'boolean') return `<c r="${ref}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value !== 'object') return `<c r="${ref}"><v>${value}</v></c>`;
    if ('day' in value) return `<c r="${ref}" s="1"><v>${value.day}</v></c>`;
    if ('n' in value) return `<c r="${ref}" s="${styleOf(value.as)}"><v>${value.n}</v></c>`;
    if ('text' in value)
      return `<c r="${ref}" s="${styleOf(value.as)}" t="inlineStr">${inline(value.text)}</c>`;
    if ('error' in value) return `<c r="${ref}" t="e"><v>${value.error}</v></c>`;
    return value.xml.replace('REF', ref);
  };
  const sheet = rows
    .map((row, r) => {
      const cells = row.map((value, c) => cell(value, `${String.fromCharCode(65 + c)}${r + 1}`));
      return `<row r="${r + 1}">${cells.join('')}</row>`;
    })
    .join('');
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const formats = codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`);
  const styles = codes.map((_, at) => `<xf numFmtId="${164 + at}" xfId="0" applyNumberFormat="1"/>`);
  const first =
    before === undefined ? '' : `<sheet name="First" sheetId="2" state="${before.state}" r:id="rId9"/>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const files: Record<string, Uint8Array> = {
    '[Content_Types].xml': xml(
      `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${packaged}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${first}<sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${packaged}/relationships">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'styles', '/xl/styles.xml')}${relation('rId3', 'sharedStrings', 'sharedStrings.xml')}${relation('rId9', 'worksheet', 'worksheets/first.xml')}</Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><numFmts>${formats.join('')}</numFmts><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/>${styles.join('')}</cellXfs></styleSheet>`,
    ),
    'xl/sharedStrings.xml': xml(`<sst xmlns="${main}">${strings}</sst>`),
    'xl/worksheets/sheet1.xml': xml(
      `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData>${merges === '' ? '' : `<mergeCells>${merges}</mergeCells>`}</worksheet>`,
    ),
    'xl/worksheets/first.xml': xml(
      `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr">${inline(before?.cell ?? '')}</c></row></sheetData></worksheet>`,
    ),
  };
  return zipSync(files);
}
