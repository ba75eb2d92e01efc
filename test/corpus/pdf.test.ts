import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRowFiller } from '#fill/create-row-filler.ts';
import { MergedPdf } from '#fill/merge/merged-pdf.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { DEFAULT_PARSE_LIMITS, prepareInChild, startReader } from '#fill/node/prepare-in-child.ts';
import { StandbyReader } from '#fill/node/standby-reader.ts';
import type { PreparedBase } from '#fill/prepare/prepared-base.ts';
import type { RowFiller } from '#fill/row-filler.ts';
import { sharedPrefix } from '#fill/zip/shared-prefix.ts';
import { corpusDir } from '../support/corpus-dir.ts';
import { bundledKit, cellsOf } from '../support/drawn-row-pdf.ts';
import { judgeFormValues } from '../support/judge-fields.ts';
import { JudgeRoom, missingJudges, popplerWords } from '../support/judges.ts';
import { planOf } from '../support/prepared.ts';
import { type Area, changed, FIRST_PAGES } from '../support/renderings.ts';
import { type FoundWidget, widgetsOf } from '../support/widgets.ts';

/**
 * Fills every PDF of the corpus, many of them damaged on purpose. Either outside readers find the probe, the pages and the
 * original content, or the PDF is rejected with a code. It must never crash or reach the resource limits.
 */
const folder = corpusDir('pdf');
const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'pdfinfo', 'mutool');
if (folder === null) console.log('corpus of PDFs skipped: the folder is absent (CORPUS_DIR)');
if (missing.length > 0) console.log(`corpus of PDFs skipped: ${missing.join(', ')} not installed`);
const files =
  folder === null
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.toLowerCase().endsWith('.pdf'))
        .sort();

const room = new JudgeRoom();
/** One line per form with fields: values that outside readers compared, and those that were wrong without a warning. */
const forms: { name: string; fields: number; judged: number; warned: number; wrong: number }[] = [];
const table = new Map<string, number>();
const count = (outcome: string) => table.set(outcome, (table.get(outcome) ?? 0) + 1);
afterAll(async () => {
  await standby?.close();
  room.close();
  console.log(`corpus of PDFs: ${[...table].map(([outcome, number]) => `${outcome} ${number}`).join(', ')}`);
  console.table(forms);
  console.log(
    `reading processes: at most ${Math.round(peak.bytes / 1e6)} MB, ${(peak.ms / 1000).toFixed(1)} s`,
  );
});

const PROBE = 'Probe';
const overlay = {
  id: 'probe',
  type: 'text',
  page: 1,
  x: 2,
  y: 2,
  width: 26,
  height: 6,
  size: 4,
  value: { column: 'column_0' },
} as const;
/** Pages that differ on purpose, and why ours is right. */
const OTHER_LOOKS = new Map([
  [
    'pdfjs/boundingBox_invalid.pdf',
    'poppler shows nothing of a page whose boxes are disjoint; we show its MediaBox',
  ],
  ['pdfjs/checkbox_no_appearance.pdf', 'the file asks readers to draw its fields; ours are drawn already'],
  ['pypdf/libreoffice-form.pdf', 'the file asks readers to draw its fields; ours are drawn already'],
  ['pypdf/pdflatex-forms.pdf', 'the file asks readers to draw its fields; ours are drawn already'],
]);
/** Flattened pages that one viewer draws shifted by less than a pixel, visible at six times the size. */
const SHIFTED_WHEN_FLAT = new Map([
  [
    'forms/uscourts-form_b106h.pdf',
    'MuPDF places the text of a dropdown differently as a widget and as page content',
  ],
]);
const LOOK_DPI = 36;
const LOOKED_PAGES = 3;
const VIEWERS = ['poppler', 'MuPDF'] as const;
const SMALLEST_PROBED_PAGE = 30;
const CODES = ['PDF_INVALID', 'PDF_ENCRYPTED', 'PDF_TOO_MANY_PAGES'];

/** The next reader loads while the judges check the last result. */
const standby = folder === null || missing.length > 0 ? null : new StandbyReader();
/** The peak memory and time of any reading process. */
const peak = { bytes: 0, ms: 0 };

async function fill(source: Uint8Array, flattenForms: boolean) {
  const plan = planOf({ overlays: [overlay] }, { flattenForms });
  const reader = standby?.take() ?? startReader();
  const ask = reader.ask.bind(reader);
  reader.ask = async (...question) => {
    const outcome = await ask(...question);
    expect(outcome, 'within the caps').toMatchObject({ ok: true });
    if (outcome.ok) {
      peak.bytes = Math.max(peak.bytes, outcome.peakRssBytes);
      peak.ms = Math.max(peak.ms, outcome.ms);
    }
    return outcome;
  };
  const prepared = await prepareInChild(source, plan, DEFAULT_PARSE_LIMITS, reader);
  if (!prepared.ok) return prepared;
  const { base } = prepared;
  const ports = { fonts: await bundledKit(), codec: nativeCodec };
  const filler = await createRowFiller(base, sharedPrefix(base.bytes, nativeCodec), plan, ports);
  const { tail } = filler.fill(1, cellsOf(PROBE));
  return {
    ok: true as const,
    width: base.facts.pages[0]?.width ?? 0,
    fields: base.facts.source.form_fields,
    pages: base.facts.pages.length,
    filled: Buffer.concat([base.bytes, tail ?? new Uint8Array()]),
    merged: mergedTwice(base, filler),
  };
}

/** Merges as `fill --merge` does. Merging flattens first, so this is only used for sources without a form, or flattened. */
function mergedTwice(base: PreparedBase, filler: RowFiller): Uint8Array {
  const merged = new MergedPdf(base);
  for (const row of [1, 2]) merged.add(filler, row, cellsOf(PROBE));
  return Buffer.concat([merged.base, ...merged.finish(nativeCodec)]);
}

function judgeMerged({ merged, pages }: { merged: Uint8Array; pages: number }, before: number): void {
  room.put('merged.pdf', merged);
  expect(room.try('qpdf', '--check', 'merged.pdf').status, 'merged').toBeLessThanOrEqual(before);
  expect(pageCount('merged.pdf'), 'merged').toBe(2 * pages);
  count('merged');
}

const grown = ({ x, y, width, height }: Area): Area => ({
  x: x - 1,
  y: y - 1,
  width: width + 2,
  height: height + 2,
});

const pageCount = (file: string) => Number(/Pages:\s+(\d+)/.exec(room.try('pdfinfo', file).said)?.[1] ?? -1);

/** Counts pixels of the first pages that differ clearly outside the overlay's box; null if the source cannot be rendered. */
function differences(
  viewer: keyof typeof FIRST_PAGES,
  file: string,
  ignored: readonly FoundWidget[] = [],
  dpi = LOOK_DPI,
): number | null {
  const before = FIRST_PAGES[viewer](room, 'source.pdf', dpi, LOOKED_PAGES);
  if (before === null) return null;
  const after = FIRST_PAGES[viewer](room, file, dpi, LOOKED_PAGES);
  if (after?.length !== before.length) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (const [index, picture] of before.entries()) {
    const filled = after[index];
    if (filled?.width !== picture.width || filled.height !== picture.height) return Number.POSITIVE_INFINITY;
    const whole = { x: 0, y: 0, width: picture.width * 2, height: picture.height * 2 };
    // The overlay's box plus one pixel on each side; UserUnit, which poppler ignores, only makes it smaller.
    const box = { x: 0, y: 0, width: overlay.x + overlay.width + 2, height: overlay.y + overlay.height + 2 };
    count += changed(picture, filled, whole, dpi);
    if (index === 0) count -= changed(picture, filled, box, dpi);
    for (const { page, area } of ignored)
      if (page === index + 1) count -= changed(picture, filled, grown(area), dpi);
  }
  // At this size a line may snap to another pixel; a real difference is also visible at twice the size.
  return count > 0 && dpi === LOOK_DPI ? differences(viewer, file, ignored, 2 * dpi) : count;
}

describe.skipIf(folder === null || missing.length > 0)('the corpus of PDFs', () => {
  afterAll(() => {
    expect(peak.bytes).toBeLessThanOrEqual(512_000_000);
    expect(peak.ms).toBeLessThanOrEqual(30_000);
  });

  it.each(files)(
    '[FILL42][FILL45][FILL49][FILL54][FILL56] %s: filled, or rejected with a documented code',
    async (name) => {
      const source = readFileSync(path.join(folder ?? '', name));
      const outcome = await fill(source, false);
      if (!outcome.ok) {
        expect(CODES).toContain(outcome.code);
        expect(outcome.message).not.toMatch(/invalid response/);
        count(outcome.code);
        return;
      }
      room.put('source.pdf', source);
      room.put('filled.pdf', outcome.filled);
      const before = room.try('qpdf', '--check', 'source.pdf').status;
      expect(
        room.try('qpdf', '--check', 'filled.pdf').status,
        'qpdf no worse than before',
      ).toBeLessThanOrEqual(before);
      // The probe does not fit on smaller pages; PDFium has found its own probe there.
      const large = outcome.width >= SMALLEST_PROBED_PAGE;
      if (large) expect(popplerWords(room, 'filled.pdf').map(({ text }) => text)).toContain(PROBE);
      const pages = pageCount('source.pdf');
      if (pages > 0) {
        expect(pageCount('filled.pdf')).toBe(pages);
      }
      let shown = 0;
      for (const viewer of VIEWERS) {
        const found = differences(viewer, 'filled.pdf');
        if (found !== null) shown += 1;
        if (!OTHER_LOOKS.has(name)) expect(found ?? 0, `pixels that look different to ${viewer}`).toBe(0);
      }
      if (shown === VIEWERS.length) count('compared in two renderings');
      count('filled');
      if (outcome.fields.length === 0) {
        judgeMerged(outcome, before);
        return;
      }

      const flat = await fill(source, true);
      expect(flat.ok).toBe(true);
      if (!flat.ok) return;
      room.put('flat.pdf', flat.filled);
      expect(room.try('qpdf', '--check', 'flat.pdf').status).toBeLessThanOrEqual(before);
      expect(popplerWords(room, 'flat.pdf').map(({ text }) => text)).toContain(PROBE);
      // Screen-only buttons are removed on purpose (FILL112).
      const buttons = (await widgetsOf(source)).filter(({ isPushButton }) => isPushButton);
      for (const viewer of VIEWERS) {
        const found = differences(viewer, 'flat.pdf', buttons);
        const shifted = viewer === 'MuPDF' && SHIFTED_WHEN_FLAT.has(name);
        if (!shifted && !OTHER_LOOKS.has(name)) expect(found ?? 0, `flat, different to ${viewer}`).toBe(0);
      }
      count('flattened and compared');
      judgeMerged(flat, before);
      const { fields, judged, warned, wrong } = await judgeFormValues(room, source, outcome.fields);
      if (fields > 0) forms.push({ name, fields, judged, warned, wrong: wrong.length });
      expect(wrong).toEqual([]);
    },
  );
});
