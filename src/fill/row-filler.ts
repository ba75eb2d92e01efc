import { GroupCells } from '#lib/rows/group-cells.ts';
import type { Codec } from './codec.ts';
import { AssetsUnavailable } from './draw/images/job-assets.ts';
import { EncryptedFileWriter } from './encrypt/encrypted-file.ts';
import type { OpenRowCipher } from './encrypt/row-cipher.ts';
import { documentPassword } from './encrypt/row-password.ts';
import { FragmentWriter, NotingNumbers, type RowFragment } from './merge/row-fragment.ts';
import type { OutputKind } from './output-kind.ts';
import type { DocumentPages } from './pages/document-pages.ts';
import { PageObjects } from './pages/page-objects.ts';
import type { PreparedBase, Slot } from './prepare/prepared-base.ts';
import type { RowResult } from './results/manifest.ts';
import { type RowError, type RowWarning, rowStatus } from './results/row-outcome.ts';
import { GroupChecks } from './values/check-group.ts';
import type { RowCells } from './values/row-cells.ts';
import type { VerifyValues } from './verify/verify-values.ts';
import { ByteSink } from './write/byte-sink.ts';
import type { ObjectNumbers, PdfObject } from './write/tail-object.ts';
import { TailWriter } from './write/write-tail.ts';
import type { SharedPrefix } from './zip/shared-prefix.ts';
import type { ZipRow } from './zip/zip-plan.ts';

/** The contribution of one part of the engine (overlays, native fields) to a row. */
export interface RowPart {
  readonly slots: readonly SlotContent[];
  /** Further objects, new or replaced. */
  readonly objects: readonly PdfObject[];
  readonly applied: number;
  readonly skipped: number;
  readonly warnings: readonly RowWarning[];
  readonly error: RowError | null;
  readonly errorColumn?: string | undefined;
  /** Absent: the pages of the source. */
  readonly pages?: DocumentPages | undefined;
  /** Whether a table continues after its first page. */
  readonly isContinued?: boolean;
}

export interface SlotContent {
  readonly slot: Slot;
  readonly content: Uint8Array;
  /** A dictionary as text. */
  readonly resources: string;
}

/** Draws one part of a row. `numbers` assigns the row's object numbers, which start at the same number in every row. */
export type DrawPart = (cells: RowCells, numbers: ObjectNumbers) => RowPart;

/** The record of a filled row, without its bytes. It is JSON; `zip` is null if the row failed. */
export interface RowRecord {
  readonly result: RowResult;
  /** Null in a run that makes only a merged PDF, too. */
  readonly zip: ZipRow | null;
  /** The row's objects in a merged PDF. Its bytes follow the tail. */
  readonly fragment?: RowFragment;
  /** The id under which the document can be verified, if it has one and did not fail. */
  readonly verifyId?: string;
  /** The column whose cell failed the row, if one did. The manifest names it in the message only. */
  readonly errorColumn?: string;
}

export interface FilledRow extends RowRecord {
  /** The bytes that follow the base in this row's PDF, or the whole PDF if it is encrypted; null if the row failed. */
  readonly tail: Uint8Array | null;
}

/** How the rows of a run are encrypted. */
export interface RowProtection {
  readonly column: string;
  readonly openCipher: OpenRowCipher;
}

export interface RowFillerParts {
  readonly base: PreparedBase;
  readonly prefix: Pick<SharedPrefix, 'crc32' | 'sha256'>;
  readonly codec: Codec;
  readonly draw: readonly DrawPart[];
  /** Ids of the parts that depend on each mapped column (mapped-columns.ts). */
  readonly columnUsers: ReadonlyMap<string, readonly string[]>;
  /** Ids of the tables. They read every row of a group, all other parts read its first row. */
  readonly tables: ReadonlySet<string>;
  /** Columns that rows are grouped by; none if every row is a document. */
  readonly groupBy: readonly string[];
  readonly maxCellChars: number;
  readonly protection?: RowProtection | undefined;
  readonly verify?: VerifyValues | undefined;
  readonly output: OutputKind;
  /** Whether the merged PDF consists of sheets. */
  readonly isForSheets: boolean;
  readonly fileName: (rowNumber: number, cells: RowCells) => string;
}

/** Fills one row per call. No state carries over from one row to the next: the bytes depend on the row alone. */
export class RowFiller {
  readonly #parts: RowFillerParts;
  readonly #writer: TailWriter;
  readonly #alone = new ByteSink();
  readonly #group: GroupChecks;
  readonly #plain = new ByteSink();
  #fragments: FragmentWriter | undefined;
  #encrypted: EncryptedFileWriter | undefined;
  #pageObjects: PageObjects | undefined;

  constructor(parts: RowFillerParts) {
    this.#parts = parts;
    this.#group = new GroupChecks(parts);
    this.#writer = new TailWriter({ baseLength: parts.base.bytes.length, ...parts.base.facts }, parts.codec);
  }

  fill(rowNumber: number, cells: RowCells): FilledRow {
    this.#alone.clear();
    const record = this.fillInto(this.#alone, rowNumber, cells);
    return {
      ...record,
      tail: record.zip === null ? null : this.#alone.view().slice(0, record.zip.tailLength),
    };
  }

  /** Appends the row's tail to `sink`, and its fragment of a merged PDF. A row that fails adds nothing. */
  fillInto(sink: ByteSink, rowNumber: number, cells: RowCells, output = this.#parts.output): RowRecord {
    const { verify } = this.#parts;
    if (verify === undefined) return this.#fillInto(sink, rowNumber, cells, output);
    const supplied = verify.supply(cells);
    if ('error' in supplied)
      return failed(rowNumber, cells, { ...NOTHING_DRAWN, errorColumn: verify.column }, supplied.error);
    const record = this.#fillInto(sink, rowNumber, supplied.cells, output);
    return record.result.status === 'failed' ? record : { ...record, verifyId: supplied.id };
  }

  #fillInto(sink: ByteSink, rowNumber: number, cells: RowCells, output: OutputKind): RowRecord {
    const numbers = new NotingNumbers(this.#parts.base.facts.size);
    const drawn = this.draw(cells, numbers);
    const error = drawn.error ?? this.sheetError(drawn, output);
    if (error !== null) return failed(rowNumber, cells, drawn, error);
    const record =
      output === 'merged'
        ? { result: result(rowNumber, cells, drawn, null), zip: null }
        : this.#writeFile(sink, rowNumber, cells, this.#withPages(drawn, numbers));
    if (output === 'zip') return record;
    this.#fragments ??= new FragmentWriter(this.#parts.base, this.#parts.isForSheets);
    const title = this.fileName(rowNumber, cells).replace(/\.pdf$/, '');
    const fragment = this.#fragments.write(sink, drawn, numbers, title);
    const { zip } = record;
    return { ...record, zip: zip === null ? null : { ...zip, gap: fragment.length }, fragment };
  }

  /** A sheet shows page 1 only, so a table must not continue on another one. */
  sheetError({ isContinued }: RowPart, output = this.#parts.output): RowError | null {
    if (output === 'zip' || !this.#parts.isForSheets || isContinued !== true) return null;
    const message = 'A table continues after page 1, and a label shows page 1 only.';
    return { code: 'ROW_TABLE_OVERFLOW', message };
  }

  /** The numbers of copied pages follow those of the row; a merged PDF numbers its pages itself. */
  #withPages(drawn: RowPart, { upcoming }: ObjectNumbers): RowPart {
    if (drawn.pages === undefined) return drawn;
    this.#pageObjects ??= new PageObjects(this.#parts.base);
    return this.#pageObjects.addTo(drawn, drawn.pages, upcoming);
  }

  #writeFile(sink: ByteSink, rowNumber: number, cells: RowCells, drawn: RowPart): RowRecord {
    const { protection } = this.#parts;
    return protection === undefined
      ? this.#produced(rowNumber, cells, this.#writeTail(sink, drawn), drawn)
      : this.#writeEncrypted(sink, rowNumber, cells, drawn, protection);
  }

  #writeTail(sink: ByteSink, drawn: RowPart): Uint8Array {
    const writer = this.#writer;
    writer.begin(sink);
    for (const { slot, content, resources } of drawn.slots) {
      writer.stream({ num: slot.num, dict: slot.head + resources, content });
    }
    for (const object of drawn.objects) writer.object(object);
    return writer.finish();
  }

  /** Appends the whole PDF, encrypted under the row's password. */
  #writeEncrypted(
    sink: ByteSink,
    rowNumber: number,
    cells: RowCells,
    drawn: RowPart,
    { column, openCipher }: RowProtection,
  ): RowRecord {
    const found = documentPassword(cells, column);
    if ('error' in found) return failed(rowNumber, cells, { ...drawn, errorColumn: column }, found.error);
    const { base, codec, prefix } = this.#parts;
    this.#plain.clear();
    const plain = prefix.sha256.copy();
    plain.update(this.#writeTail(this.#plain, drawn));
    const cipher = openCipher({ rowNumber, password: found.password, plainSha256: plain.digestHex() });
    this.#encrypted ??= new EncryptedFileWriter(base);
    const file = this.#encrypted.write(sink, drawn, cipher);
    return this.#recorded(rowNumber, cells, drawn, {
      sha256: codec.sha256Hex(file),
      crc32: codec.crc32(file),
      length: file.length,
    });
  }

  /** The changes of a row, before they become bytes. */
  draw(cells: RowCells, numbers: ObjectNumbers): RowPart {
    const checked = this.#group.check(cells);
    if ('error' in checked) return { ...NOTHING_DRAWN, error: checked.error, errorColumn: checked.column };
    try {
      const parts: RowPart[] = [];
      for (const part of this.#parts.draw) parts.push(part(cells, numbers));
      const drawn = joined(parts);
      if (checked.notes.length === 0) return drawn;
      return { ...drawn, warnings: [...checked.notes, ...drawn.warnings] };
    } catch (error) {
      if (error instanceof AssetsUnavailable) throw error;
      return { ...NOTHING_DRAWN, error: renderFailure(error) };
    }
  }

  fileName(rowNumber: number, cells: RowCells): string {
    return this.#parts.fileName(rowNumber, cells);
  }

  #produced(rowNumber: number, cells: RowCells, tail: Uint8Array, drawn: RowPart): RowRecord {
    const { prefix, codec } = this.#parts;
    const sha256 = prefix.sha256.copy();
    sha256.update(tail);
    return this.#recorded(rowNumber, cells, drawn, {
      sha256: sha256.digestHex(),
      crc32: codec.crc32(tail, prefix.crc32),
      length: tail.length,
    });
  }

  #recorded(
    rowNumber: number,
    cells: RowCells,
    drawn: RowPart,
    { sha256, crc32, length }: { readonly sha256: string; readonly crc32: number; readonly length: number },
  ): RowRecord {
    const name = this.fileName(rowNumber, cells);
    return {
      result: result(rowNumber, cells, drawn, { name, sha256 }),
      zip: { name, tailLength: length, crc32 },
    };
  }
}

const NOTHING_DRAWN: RowPart = { slots: [], objects: [], applied: 0, skipped: 0, warnings: [], error: null };

function joined(parts: readonly RowPart[]): RowPart {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return {
    slots: parts.flatMap((part) => part.slots),
    objects: parts.flatMap((part) => part.objects),
    applied: parts.reduce((sum, part) => sum + part.applied, 0),
    skipped: parts.reduce((sum, part) => sum + part.skipped, 0),
    warnings: parts.flatMap((part) => part.warnings),
    error: parts.find((part) => part.error !== null)?.error ?? null,
    pages: parts.find((part) => part.pages !== undefined)?.pages,
    isContinued: parts.some((part) => part.isContinued === true),
  };
}

/** The result of a row that did not fail. `file` is its own PDF, if it has one. */
function result(
  rowNumber: number,
  cells: RowCells,
  drawn: RowPart,
  file: { readonly name: string; readonly sha256: string } | null,
): RowResult {
  return {
    row_number: rowNumber,
    ...rowNumbers(cells),
    status: rowStatus(drawn, null),
    file_name: file?.name ?? null,
    applied_overlay_count: drawn.applied,
    skipped_overlay_count: drawn.skipped,
    warnings: drawn.warnings,
    error: null,
    sha256: file?.sha256 ?? null,
  };
}

/** The rows of the input that a group consists of. */
function rowNumbers(cells: RowCells): Pick<RowResult, 'row_numbers'> {
  return cells instanceof GroupCells ? { row_numbers: cells.rows.map(({ number }) => number) } : {};
}

function failed(
  rowNumber: number,
  cells: RowCells,
  { warnings, errorColumn }: RowPart,
  error: RowError,
): RowRecord {
  return {
    result: {
      row_number: rowNumber,
      ...rowNumbers(cells),
      status: 'failed',
      file_name: null,
      applied_overlay_count: 0,
      skipped_overlay_count: 0,
      warnings,
      error,
      sha256: null,
    },
    zip: null,
    ...(errorColumn !== undefined && { errorColumn }),
  };
}

/** An exception while drawing fails this row only. The message contains no row values. */
function renderFailure(error: unknown): RowError {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'ROW_RENDER_FAILED', message: `The row could not be drawn: ${reason.slice(0, 200)}` };
}
