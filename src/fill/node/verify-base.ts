import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Codec } from '../codec.ts';
import type { PreparedBase } from '../prepare/prepared-base.ts';
import { ByteSink } from '../write/byte-sink.ts';
import { TailWriter } from '../write/write-tail.ts';

/**
 * Verifies a prepared base with a reader that shares no code with this engine (PDFium): it must open base + tail, count the
 * same pages, and find a probe text that was drawn into each slot. Wrong output is worse than a refused source.
 */
export type BaseVerdict = { readonly ok: true } | { readonly ok: false; readonly message: string };

const PROBE = 'RowpressProbe';
/** Pages to check: reading a page's text takes 1–50 ms, and all slots of a long document are made the same way. */
const MAX_PROBED_PAGES = 50;

/** Starts compiling PDFium early: it takes longer than preparing a small file, and runs on another thread. */
export function startVerifier(): Promise<PDFiumLibrary> {
  const starting = PDFiumLibrary.init();
  // The caller that awaits it observes the failure. Until then it must not count as unhandled.
  starting.catch(() => undefined);
  return starting;
}

export async function verifyBase(
  { bytes, facts }: PreparedBase,
  codec: Codec,
  starting: Promise<PDFiumLibrary> = startVerifier(),
): Promise<BaseVerdict> {
  const encoder = new TextEncoder();
  const probed = facts.slots.slice(0, MAX_PROBED_PAGES);
  const writer = new TailWriter({ baseLength: bytes.length, ...facts }, codec);
  writer.begin(new ByteSink());
  for (const slot of probed) {
    const font = '<</Font<</P<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
    writer.stream({ num: slot.num, dict: slot.head + font, content: encoder.encode(probeText(slot.page)) });
  }
  const tail = writer.finish();
  const whole = new Uint8Array(bytes.length + tail.length);
  whole.set(bytes);
  whole.set(tail, bytes.length);

  const pdfium = await starting;
  try {
    const document = await pdfium.loadDocument(whole);
    const count = document.getPageCount();
    if (count !== facts.pages.length) {
      return {
        ok: false,
        message: `readers disagree on the number of pages: ${facts.pages.length} and ${count}`,
      };
    }
    for (const { page } of probed) {
      const text = document.getPage(page - 1).getText();
      if (!text.includes(`${PROBE}${page}.`))
        return { ok: false, message: `text drawn on page ${page} is not visible` };
    }
    document.destroy();
    return { ok: true };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  } finally {
    pdfium.destroy();
  }
}

/** Tiny, so that it fits even the smallest page. */
function probeText(page: number): string {
  return `BT /P 0.5 Tf 1 1 Td (${PROBE}${page}.) Tj ET`;
}
