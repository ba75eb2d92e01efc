import { unzipSync } from 'fflate';
import { type CellFormat, GENERAL, readCellFormats } from './cell-format.ts';
import { readXml } from './read-xml.ts';
import { readSharedStrings } from './string-text.ts';
import { SheetTooLarge, WorkbookUnreadable } from './workbook-unreadable.ts';

/** The parts of a workbook that its rows need. */
export interface OpenWorkbook {
  readonly sheet: Uint8Array;
  readonly strings: readonly string[];
  /** Indexed by the style number of a cell. */
  readonly formats: readonly CellFormat[];
}

/** A workbook is a ZIP and can unpack to any size. A real one with 100,000 rows is far smaller. */
const MAX_UNPACKED_BYTES = 400_000_000;

/**
 * Opens the first visible worksheet in the order of the tabs, or the first worksheet if none is visible. Charts and macro sheets have no
 * rows and are skipped.
 */
export function openWorkbook(packed: Uint8Array, maxSheetBytes: number): OpenWorkbook {
  const book = workbookPath(packed);
  const folder = book.slice(0, book.lastIndexOf('/') + 1);
  const relationsOfBook = `${folder}_rels/${book.slice(folder.length)}.rels`;
  const files = entries(packed, (name) => name === book || name === relationsOfBook);
  const relations = readRelations(files.get(relationsOfBook) ?? missing('its list of sheets'), folder);
  const { sheets, date1904 } = readBook(files.get(book) ?? missing('its list of sheets'));
  const worksheets = sheets.flatMap(({ id, visible }) => {
    const relation = relations.find((candidate) => candidate.id === id);
    return relation?.type.endsWith('/worksheet') ? [{ path: relation.path, visible }] : [];
  });
  const chosen = worksheets.find(({ visible }) => visible) ?? worksheets[0] ?? missing('a sheet');
  const pathOf = (type: string) => relations.find((relation) => relation.type.endsWith(type))?.path;
  const stringsPath = pathOf('/sharedStrings');
  const stylesPath = pathOf('/styles');
  const parts = entries(packed, (name, size) => {
    if (name === chosen.path && size > maxSheetBytes) throw new SheetTooLarge(size);
    return [chosen.path, stringsPath, stylesPath].includes(name);
  });
  const strings = parts.get(stringsPath ?? '');
  const styles = parts.get(stylesPath ?? '');
  return {
    sheet: parts.get(chosen.path) ?? missing('its sheet'),
    strings: strings === undefined ? [] : readSharedStrings(strings),
    formats: styles === undefined ? [GENERAL] : readCellFormats(styles, date1904),
  };
}

function workbookPath(packed: Uint8Array): string {
  const root = entries(packed, (name) => name === '_rels/.rels').get('_rels/.rels');
  const relations = readRelations(root ?? missing('its list of parts'), '');
  return relations.find(({ type }) => type.endsWith('/officeDocument'))?.path ?? missing('a workbook');
}

/** Sizes are those in the ZIP directory; an entry never unpacks to more. */
function entries(
  packed: Uint8Array,
  wanted: (name: string, size: number) => boolean,
): ReadonlyMap<string, Uint8Array> {
  let unpacked = 0;
  try {
    const files = unzipSync(packed, {
      filter: ({ name, originalSize }) => {
        if (!wanted(name, originalSize)) return false;
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED_BYTES) throw new WorkbookUnreadable('it is too large when unpacked');
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    if (error instanceof WorkbookUnreadable) throw error;
    throw new WorkbookUnreadable('it is not a ZIP file, or it is damaged');
  }
}

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

function readRelations(bytes: Uint8Array, folder: string): readonly Relation[] {
  const relations: Relation[] = [];
  readXml(bytes, {
    open: (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (name !== 'Relationship') return;
      relations.push({ id, type, path: partPath(target, folder) });
    },
  });
  return relations;
}

/** A target is relative to the folder of the part that names it, or starts with `/`. */
function partPath(target: string, folder: string): string {
  try {
    return decodeURIComponent(new URL(target, `zip:/${folder}`).pathname.slice(1));
  } catch {
    throw new WorkbookUnreadable('it names a part that cannot exist');
  }
}

function readBook(bytes: Uint8Array) {
  const sheets: { readonly id: string; readonly visible: boolean }[] = [];
  let date1904 = false;
  readXml(bytes, {
    open: (name, attributes) => {
      if (name === 'workbookPr') date1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      sheets.push({ id, visible: (attributes.state ?? 'visible') === 'visible' });
    },
  });
  return { sheets, date1904 };
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

function missing(what: string): never {
  throw new WorkbookUnreadable(`it lacks ${what}`);
}
