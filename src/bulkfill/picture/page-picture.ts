import { CappedChild } from '#fill/node/capped-child.ts';
import { encodeMessage } from '#fill/node/message.ts';
import { programOf } from '#lib/built-programs.ts';

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
  const outcome = await child.ask(encodeMessage({ head: request, blocks: [pdf] }), CAPS, signal);
  if (!outcome.ok) throw new Error(`a page could not be drawn: ${outcome.reason} ${outcome.detail}`);
  return outcome.output.length === 0 ? undefined : outcome.output;
}
