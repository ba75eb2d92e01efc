import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN_FAMILIES, FALLBACK_FAMILIES } from '#fill/fonts/bundled-faces.ts';
import { bundledFontLibrary } from '#fill/node/bundled-fonts.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { portableCodec } from '#fill/portable-codec.ts';
import { launchChromium } from '../support/chromium.ts';
import { type EngineRun, rowDigests } from '../support/engine-bytes.ts';
import { FORM_FIELD_NAMES, formPdf } from '../support/form-source.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { smallPng } from '../support/small-png.ts';
import { type SourceServer, serveSources } from '../support/source-server.ts';

const text = (id: string, y: number, extra: object = {}) => ({
  id,
  type: 'text',
  page: 1,
  x: 40,
  y,
  width: 260,
  height: 30,
  value: { column: 'column_0' },
  ...extra,
});
const code = (id: string, y: number, extra: object) => ({
  id,
  page: 1,
  x: 330,
  y,
  width: 110,
  height: 80,
  value: { column: 'column_1' },
  ...extra,
});

/** One of each input that reaches the bytes by a different path. */
const overlays = [
  text('plain', 40),
  text('bold', 80, { bold: true, align: 'center', valign: 'middle', size: 9.37 }),
  text('serif', 120, { font: 'serif', italic: true, align: 'right', fit: 'wrap', height: 60 }),
  text('mono', 190, { font: 'mono', rotation: 33.3, opacity: 0.4, color: '#123456' }),
  text('shrunk', 240, { wrap: true, width: 61, height: 22 }),
  code('qr', 40, { type: 'qr', ecc: 'Q' }),
  code('bars', 140, { type: 'barcode', symbology: 'code128', rotation: -17 }),
  code('matrix', 240, { type: 'barcode', symbology: 'datamatrix' }),
  code('hexagons', 340, { type: 'barcode', symbology: 'maxicode' }),
  { ...text('stamp', 300, { height: 60 }), type: 'image', value: { static: 'stamp.png' } },
  { ...text('check', 380), type: 'check', value: { column: 'column_2' } },
  { ...text('name', 420), type: 'signature' },
  { id: 'here', type: 'sticker', page: 1, x: 40, y: 470, width: 90, height: 22 },
];

const rows = [
  ['Ada Lovelace', 'https://example.org/1', 'yes'],
  ['Łódź “Straße” – €5…', 'LOT-0002', 'no'],
  ['Ωmega Ελλάδα Привет мир', 'LOT-0003', 'x'],
  ['مرحبا (بالعالم) 123 שלום', 'LOT-0004', ''],
  ['हिन्दी में क्षेत्र ภาษาไทย น้ำ', 'LOT-0005', '1'],
  ['漢字かな 中文测试 😍 ∑ → ✓', 'LOT-0006', 'on'],
  ['Cafe\u0301 q\u0308 \u{1242b} \u0001 missing', 'LOT-0007', 'off'],
];

/** Two by two pixels with alpha, which the engine decodes and recompresses. */
const stampPng = smallPng(
  [0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0],
  [0, 255, 0, 0, 128, 0, 255, 0, 255, 0, 0, 0, 255, 64, 9, 9, 9, 0],
);

const drawn: EngineRun = {
  source: pagesPdf([{ content: '0.9 g 0 0 300 300 re f' }]),
  layout: { format: 'rowpress.layout', version: 1, overlays },
  assets: [['assets/stamp.png', stampPng]],
  rows,
  flattenForms: false,
};

const form: EngineRun = {
  source: formPdf(),
  layout: {
    format: 'rowpress.layout',
    version: 1,
    form_fields: FORM_FIELD_NAMES.map((field, index) => ({
      id: field,
      field,
      value: { column: `column_${index}` },
    })),
  },
  assets: [],
  rows: [
    ['Zoë', 'one two', '123456', '1.50', 'Łódź', 'yes', 'x', 'green', 'large', 'Sideways'],
    ['مرحبا', 'हिन्दी में', '12', '漢字', '', 'no', '', 'mauve', 'S', ''],
  ],
  flattenForms: false,
};

const RUNS: readonly (readonly [name: string, run: EngineRun])[] = [
  ['overlays of every kind', drawn],
  ['a form', form],
  ['a flattened form', { ...form, flattenForms: true }],
];

/** Runs in the page. Fetches fonts first, because the engine requests them in the middle of a row. */
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
  import { rowDigests } from '/test/support/engine-bytes.ts';
  import { portableCodec } from '/src/fill/portable-codec.ts';
  globalThis.fillInBrowser = async (run, faces) => {
    const bytes = async (path) => {
      const answer = await fetch((path.startsWith('fonts/') ? '/' : '/node_modules/') + path);
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
    };
    const files = new Map(await Promise.all(faces.map(async (id) => [id, await bytes(id)])));
    const wasm = await bytes('harfbuzzjs/dist/harfbuzz-subset.wasm');
    const library = { face: (id) => files.get(id), subsetterWasm: () => wasm };
    const revived = {
      ...run,
      source: Uint8Array.from(run.source),
      assets: run.assets.map(([name, data]) => [name, Uint8Array.from(data)]),
    };
    return rowDigests(revived, library, portableCodec);
  };
  globalThis.ready = true;
</script>`;

describe('the same bytes in Node and in a browser', () => {
  let server: SourceServer;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    server = await serveSources(PAGE);
    browser = await launchChromium();
    page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(server.url);
    await page.waitForFunction('globalThis.ready === true').catch((error: unknown) => {
      throw new Error(`the engine did not load: ${faults.join('; ')}`, { cause: error });
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.each(RUNS)('[FILL1] rows of %s: the same SHA-256 with every engine and codec', async (_, run) => {
    const library = bundledFontLibrary();
    const native = await rowDigests(run, library, nativeCodec);
    expect(native.length).toBe(run.rows.length);
    expect(new Set(native).size).toBe(run.rows.length);
    for (const digest of native) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await rowDigests(run, library, portableCodec)).toEqual(native);

    const faces = [...Object.values(BUILT_IN_FAMILIES), ...FALLBACK_FAMILIES].flatMap((family) =>
      Object.values(family).filter((file): file is string => file !== undefined),
    );
    const sent = {
      ...run,
      source: [...run.source],
      assets: run.assets.map(([name, data]) => [name, [...data]]),
    };
    const digests = await page.evaluate(
      ([given, ids]) =>
        (
          globalThis as unknown as { fillInBrowser(run: unknown, faces: unknown): Promise<string[]> }
        ).fillInBrowser(given, ids),
      [sent, faces] as const,
    );
    expect(digests).toEqual(native);
  });
});
