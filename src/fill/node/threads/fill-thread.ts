/** The program of a fill thread: loads the engine at once, then performs the tasks it receives, one at a time. */
import { parentPort } from 'node:worker_threads';
import { compactRecords } from '#fill/archive-index.ts';
import { createRowFiller } from '#fill/create-row-filler.ts';
import { type FilledPiece, fillPieces } from '#fill/fill-rows.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import type { RowFiller } from '#fill/row-filler.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import { ByteSink } from '#fill/write/byte-sink.ts';
import { openAssets } from '../assets/open-assets.ts';
import { bundledFontLibrary } from '../bundled-fonts.ts';
import { nativeCodec } from '../native-codec.ts';
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

const fonts = createFontKit(bundledFontLibrary());
/** By key, in the order in which they were opened. */
const fillers = new Map<string, Promise<RowFiller>>();
const scratch = new ByteSink();
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
}

function open(template: Template): void {
  const { key } = template;
  rememberTemplate(fillers, key, compiled(template));
  // The tasks that name the template report the failure.
  fillers.get(key)?.catch(() => undefined);
}

async function compiled({ base, facts, plan, assets, maxCellChars }: Template): Promise<RowFiller> {
  const bytes = new Uint8Array(base);
  const sha256 = nativeCodec.sha256Start();
  sha256.update(bytes);
  const prefix = { crc32: nativeCodec.crc32(bytes), sha256 };
  const ports = { fonts: await fonts, codec: nativeCodec, jobAssets: openAssets(assets) };
  return createRowFiller({ bytes, facts }, prefix, plan, ports, maxCellChars);
}

async function fill({ key, firstRow, rows, form, maxUntakenBytes }: FillTask): Promise<void> {
  const filler = await fillers.get(key);
  if (filler === undefined) throw new Error('a fill thread received rows of a template that is not open');
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
