import { portableCodec } from '#fill/portable-codec.ts';
import { displayedPage } from '#fill/prepare/page-geometry.ts';
import { inspectSource } from '#fill/prepare/read-source-metadata.ts';
import { DEFAULT_MAX_PAGES } from '#fill/prepare-fill.ts';
import type { EngineRefusal, OpenedSource } from '../engine-client.ts';
import { sourceFonts } from './source-fonts.ts';

/** Opens a PDF with the parser that fills it, so that the browser accepts exactly what the server accepts. */
export async function openSource(bytes: Uint8Array): Promise<OpenedSource | EngineRefusal> {
  const inspected = await inspectSource(bytes, DEFAULT_MAX_PAGES, portableCodec);
  if (!inspected.ok) return inspected;
  const { metadata } = inspected;
  const pages = metadata.pages.map(({ box, rotation, user_unit }) =>
    displayedPage({ mediaBox: box, box, rotation, userUnit: user_unit }),
  );
  return { ok: true, metadata, pages, fonts: await sourceFonts(bytes) };
}
