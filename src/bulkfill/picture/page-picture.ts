import { CappedChild, type ChildOutcome } from '#fill/node/capped-child.ts';
import { encodeMessage } from '#fill/node/message.ts';
import { programOf } from '#lib/built-programs.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { LARGE_INPUT_BYTES } from '#lib/lower-priority.ts';

export interface PictureRequest {
  /** Starts at 1. */
  readonly page: number;
  /** In pixels; the height keeps the aspect ratio. */
  readonly width: number;
}

const CAPS = { maxRssBytes: 768_000_000, maxMs: 20_000, maxOutputBytes: 64_000_000 };

/** Draws a page of a PDF as PNG. Returns undefined if there is no such page; throws if it cannot be drawn. */
export async function pagePicture(
  pdf: Uint8Array,
  request: PictureRequest,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const child = new CappedChild(programOf('src/bulkfill/picture/page-picture-child.ts'), CAPS.maxRssBytes);
  if (pdf.length > LARGE_INPUT_BYTES) child.yieldToOthers();
  const outcome = await child.ask(encodeMessage({ head: request, blocks: [pdf] }), CAPS, signal);
  if (!outcome.ok) throw undrawn(outcome);
  return outcome.output.length === 0 ? undefined : outcome.output;
}

/** The kernel ends a reader with SIGKILL when memory is short; a launcher reports that as exit status 137. */
const KILLED = /^(?:SIGKILL|137):/;

/** The reader cannot draw the page. This is a bug for a PDF that the engine wrote, but not for an uploaded one. */
export class UndrawnPage extends Error {}

/** A retry can succeed once memory or processor time is free. */
function undrawn({ reason, detail }: Extract<ChildOutcome, { ok: false }>): Error {
  const message = `a page could not be drawn: ${reason} ${detail}`;
  const isPassing = reason === 'memory' || reason === 'time' || KILLED.test(detail);
  return isPassing
    ? new SurroundingsError('unavailable', message, { retryAfterSeconds: 5 })
    : new UndrawnPage(message);
}
