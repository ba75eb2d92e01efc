import { strToU8, zipSync } from 'fflate';
import type { SentRow } from './sent-rows.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/**
 * Writes rows as a workbook of texts and errors. CSV cannot represent a cell with an error, and the job must note it at
 * its row. The server reads texts unchanged.
 */
export function workbookOf(rows: Iterable<SentRow>): Uint8Array<ArrayBuffer> {
  const pieces: string[] = [];
  for (const { cells, errors } of rows) pieces.push(rowXml(cells, errors));
  const relation = (type: string, target: string) =>
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONS}/${type}" Target="${target}"/></Relationships>`;
  const files = {
    '_rels/.rels': strToU8(relation('officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Rows" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(relation('worksheet', 'worksheets/sheet1.xml')),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet xmlns="${MAIN}"><sheetData>${pieces.join('')}</sheetData></worksheet>`,
    ),
  };
  // A fixed date: the same rows give the same bytes, and so the same request.
  return zipSync(files, { level: 1, mtime: new Date(1980, 0, 1) }) as Uint8Array<ArrayBuffer>;
}

function rowXml(cells: readonly string[], errors: readonly number[]): string {
  const xml = cells.map((cell, column) =>
    errors.includes(column)
      ? '<c t="e"><v>#N/A</v></c>'
      : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`,
  );
  return `<row>${xml.join('')}</row>`;
}

/** Writes characters that XML cannot represent or would change as `_xHHHH_`, and escapes text that looks like that. */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML cannot hold
      /[\x00-\x08\x0b-\x1f\ufffe\uffff]/g,
      (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
