/** The program of a fill thread: loads the engine at once, then performs the tasks it receives, one at a time. */
import { parentPort } from 'node:worker_threads';
import { compactRecords } from '#fill/archive-index.ts';
import { createRowFiller } from '#fill/create-row-filler.ts';
import { type FilledPiece, fillPieces } from '#fill/fill-rows.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import type { RowFiller } from '#fill/row-filler.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import { ByteSink } from '#fill/write/byte-sink.ts';
import { collectGarbage } from '#lib/collect-garbage.ts';
import { openAssets } from '../assets/open-assets.ts';
import { bundledFontLibrary } from '../bundled-fonts.ts';
import { nativeRowCiphers } from '../encrypt/native-row-cipher.ts';
import { nativeCodec } from '../native-codec.ts';
import { nativeVerifyIds } from '../verify/native-verify-ids.ts';
import { movedParts, packPiece, unpackRows } from './packed-rows.ts';
import { splitRowLines } from './row-lines.ts';
import { failureOf } from './thread-failure.ts';
import {
  type FillTask,
  isCounted,
  type PieceForm,
  rememberTemplate,
  type TaskRows,
  type Template,
  type ThreadAnswer,
  type ThreadMessage,
  type ThreadTask,
} from './thread-messages.ts';

/** A task may leave this many bytes of array buffers behind. */
const MAX_LEFT_BYTES = 24_000_000;

interface OpenTemplate {
  readonly template: Template;
  /** Compiled again for the next task if it was dropped. */
  filler: Promise<RowFiller> | undefined;
}

const fonts = createFontKit(bundledFontLibrary());
/** By key, in the order in which they were opened. */
const templates = new Map<string, OpenTemplate>();
let scratch = new ByteSink();
/** Bytes of array buffers that remained after pictures were dropped, such as fonts. */
let keptBytes = 0;
let untakenBytes = 0;
let onTaken: (() => void) | undefined;
let working: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: ThreadMessage) => {
  if (message.kind === 'taken') {
    untakenBytes -= message.bytes;
    onTaken?.();
  } else working = working.then(() => perform(message));
});

async function perform(task: ThreadTask): Promise<void> {
  try {
    if (task.kind === 'open') {
      open(task.template);
      return;
    }
    if (task.kind === 'fill') await fill(task);
    else await fonts;
    answer({ kind: 'done' });
  } catch (error) {
    answer(failureOf(error));
  }
  // Later, because the event that is being handled still refers to the rows.
  setImmediate(dropPictures);
}

/**
 * Large pictures are outside of V8's heap, which remains too small to be collected, and each template keeps some for its next rows. A thread
 * that had drawn one of 9 MB held 72 MB while it was idle.
 */
function dropPictures(): void {
  if (process.memoryUsage().arrayBuffers < keptBytes + MAX_LEFT_BYTES) return;
  for (const open of templates.values()) open.filler = undefined;
  scratch = new ByteSink();
  collectGarbage();
  keptBytes = process.memoryUsage().arrayBuffers;
}

function open(template: Template): void {
  const filler = compiled(template);
  // The tasks that name the template report the failure.
  filler.catch(() => undefined);
  rememberTemplate(templates, template.key, { template, filler });
}

async function compiled({ base, facts, plan, assets, maxCellChars }: Template): Promise<RowFiller> {
  const bytes = new Uint8Array(base);
  const sha256 = nativeCodec.sha256Start();
  sha256.update(bytes);
  const prefix = { crc32: nativeCodec.crc32(bytes), sha256 };
  const ports = {
    fonts: await fonts,
    codec: nativeCodec,
    rowCiphers: nativeRowCiphers,
    verifyIds: nativeVerifyIds,
    jobAssets: openAssets(assets),
  };
  return createRowFiller({ bytes, facts }, prefix, plan, ports, maxCellChars);
}

async function fill({ key, firstRow, rows, form, maxUntakenBytes }: FillTask): Promise<void> {
  const open = templates.get(key);
  if (open === undefined) throw new Error('a fill thread received rows of a template that is not open');
  open.filler ??= compiled(open.template);
  const filler = await open.filler;
  for (const piece of fillPieces(filler, firstRow, cellsOf(rows), scratch)) {
    if (isCounted(piece.tails.length)) untakenBytes += piece.tails.length;
    send(piece, form);
    while (untakenBytes >= maxUntakenBytes)
      await new Promise<void>((resolve) => {
        onTaken = resolve;
      });
  }
}

function cellsOf(rows: TaskRows): Iterable<RowCells> {
  return rows.kind === 'lines' ? splitRowLines(rows.bytes) : unpackRows(rows.runs);
}

function send(piece: FilledPiece, form: PieceForm): void {
  const { firstRow, tails, records } = piece;
  if (form === 'records') {
    answer({ kind: 'piece', form, firstRow, tails, records }, [tails.buffer as ArrayBuffer]);
    return;
  }
  const packed = packPiece({ firstRow, tails, ...compactRecords(records) });
  answer({ kind: 'piece', form, ...packed }, movedParts(packed));
}

function answer(message: ThreadAnswer, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}
