import { copyFile, mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, layoutOf } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges, popplerWords } from '../support/judges.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { openPdfjsViewer, type PdfjsViewer } from '../support/pdfjs-viewer.ts';
import { type Area, changedArea, darkness, type Picture, RENDERERS } from '../support/renderings.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { smallPng } from '../support/small-png.ts';

/**
 * One page with every kind of overlay, each in its own cell, filled by the command. Every overlay is drawn, none leaves
 * its cell, and four renderers agree on how dark each cell is. Further checks cover the placement of each kind.
 */
const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'pdffonts', 'mutool');
if (missing.length > 0) console.log(`judges of overlays skipped: ${missing.join(', ')} not installed`);

const DPI = 144;
const PDFJS = 'pdf.js';
const VIEWERS = [...Object.keys(RENDERERS), PDFJS];
const FOX = 'The quick brown fox jumps over the lazy dog and runs on.';

const text = (value: string, members: object = {}) => ({
  type: 'text',
  value: { static: value },
  ...members,
});
const picture = (members: object = {}) => ({ type: 'image', value: { static: 'pic.png' }, ...members });
const mark = (name: string, value = 'yes') => ({ type: 'check', mark: name, value: { static: value } });

/** By id; a cell is 120 by 50 points. */
const CELLS: Readonly<Record<string, object>> = {
  shrink: text(FOX),
  'shrink in lines': text(FOX, { wrap: true, size: 20 }),
  wrap: text(FOX, { fit: 'wrap' }),
  clip: text(FOX, { fit: 'clip' }),
  'single spaced': text('one\ntwo', { fit: 'wrap', line_height: 1 }),
  'double spaced': text('one\ntwo', { fit: 'wrap', line_height: 2 }),
  top: text('HHHH', { align: 'left', valign: 'top' }),
  middle: text('HHHH', { align: 'center', valign: 'middle' }),
  bottom: text('HHHH', { align: 'right', valign: 'bottom' }),
  serif: text('Serif', { font: 'serif', italic: true }),
  mono: text('Mono', { font: 'mono', bold: true }),
  'own font': text('Own', { font: 'House' }),
  solid: text('MMMM', { bold: true, size: 24, color: '#000000' }),
  faint: text('MMMM', { bold: true, size: 24, opacity: 0.3 }),
  'turned 90': text('HHHH', { width: 50, rotation: 90, valign: 'middle' }),
  'turned 180': text('HHHH', { rotation: 180 }),
  contain: picture(),
  'contain low': picture({ valign: 'bottom' }),
  cover: picture({ fit: 'cover' }),
  stretch: picture({ fit: 'stretch' }),
  'faint picture': picture({ fit: 'stretch', opacity: 0.6 }),
  check: mark('check'),
  cross: mark('cross'),
  dot: mark('dot'),
  square: mark('square'),
  unticked: mark('check', 'no'),
  date: { type: 'date', value: { static: '2026-11-16' }, format: { date: 'D MMM YYYY' } },
  number: text('1234567.891', { format: { number: '#,##0.00', decimal: ',', group: '.' } }),
  template: { type: 'text', value: { template: 'Dear {{column_0}}' } },
  shown: text('SHOWN', { show_if: { column: 'column_0', equals: 'Ada' } }),
  hidden: text('HIDDEN', { show_if: { column: 'column_0', equals: 'Bob' } }),
  signature: { type: 'signature', value: { static: 'Grace Hopper' } },
  sticker: { type: 'sticker' },
  arabic: text('مرحبا بالعالم', { size: 16, align: 'right' }),
  hebrew: text('שלום עולם', { size: 16, align: 'right' }),
  devanagari: text('हिन्दी में क्षेत्र', { size: 16 }),
  // Stacked combining marks extend above the em box, which is what fits into a cell.
  thai: text('ภาษาไทย น้ำ', { size: 16, valign: 'middle' }),
  chinese: text('漢字かな 中文', { size: 16 }),
  fallbacks: text('mix 😀 ✓ ∑ Ω я', { size: 16 }),
  'missing glyph': text('gone \u{1242b}', { size: 16 }),
  qr: { type: 'qr', value: { static: 'https://example.test/1' } },
  barcode: { type: 'barcode', symbology: 'code128', value: { static: 'LOT-0001' } },
};
/** A font that no other cell uses. */
const OWN_FONT = 'fonts/tinos/Tinos_700Bold_Italic.ttf';
const fonts = [{ name: 'House', regular: 'assets/own.ttf' }];
const EMPTY = ['unticked', 'hidden'];
const COLUMNS = 4;
const NAMES = Object.keys(CELLS);

const overlays = NAMES.map((id, index) => {
  const place = { x: 20 + (index % COLUMNS) * 145, y: 15 + Math.floor(index / COLUMNS) * 66 };
  return { id, page: 1, ...place, width: 120, height: 50, ...CELLS[id] };
});
const areaOf = (id: string): Area => {
  const found = overlays.find((overlay) => overlay.id === id);
  if (found === undefined) throw new Error(`no cell ${id}`);
  const { x, y, width, height } = found;
  return { x, y, width, height };
};

describe.skipIf(missing.length > 0)('overlays of every kind', () => {
  let sandbox: CliSandbox;
  const room = new JudgeRoom();
  const pictures = new Map<
    string,
    { readonly before: Picture; readonly after: Picture; readonly bare: Picture }
  >();
  let pdfjs: PdfjsViewer;
  beforeAll(async () => {
    pdfjs = await openPdfjsViewer();
    sandbox = await cliSandbox();
    await mkdir(sandbox.path('assets'));
    await sandbox.write('assets/pic.png', widePng());
    await copyFile(OWN_FONT, sandbox.path('assets/own.ttf'));
    const pdf = pagesPdf([{ content: '' }]);
    const given = { pdf, layout: layoutOf(overlays, { fonts }), rows: 'Ada\n' };
    const { files, manifest } = await fill(sandbox, { ...given, args: ['--include-stickers'] });
    const bare = await fill(sandbox, given);
    expect(manifest.row_results[0]).toMatchObject({ status: 'success', applied_overlay_count: NAMES.length });
    expect(bare.manifest.row_results[0]).toMatchObject({ applied_overlay_count: NAMES.length - 1 });
    expect(manifest.row_results[0]?.warnings.map(({ overlay_id, code }) => `${overlay_id}: ${code}`)).toEqual(
      ['clip: TEXT_CLIPPED', 'missing glyph: GLYPH_MISSING'],
    );
    room.put('before.pdf', pdf);
    room.put('after.pdf', files['row_1.pdf'] ?? '');
    room.put('bare.pdf', bare.files['row_1.pdf'] ?? '');
    for (const [viewer, render] of Object.entries({ ...RENDERERS, [PDFJS]: pdfjs.render })) {
      pictures.set(viewer, {
        before: await render(room, 'before.pdf', DPI),
        after: await render(room, 'after.pdf', DPI),
        bare: await render(room, 'bare.pdf', DPI),
      });
    }
  });
  afterAll(async () => {
    await pdfjs.close();
    room.close();
    await sandbox.remove();
  });

  const seenBy = (viewer: string) => {
    const seen = pictures.get(viewer);
    if (seen === undefined) throw new Error(`no pictures by ${viewer}`);
    return seen;
  };
  const inkOf = (viewer: string, id: string): Area => {
    const { before, after } = seenBy(viewer);
    const found = changedArea(before, after, areaOf(id), DPI);
    if (found === null) throw new Error(`${viewer} shows nothing of ${id}`);
    return found;
  };
  /** Distances from the cell's edges to the ink. */
  const margins = (viewer: string, id: string) => {
    const [cell, ink] = [areaOf(id), inkOf(viewer, id)];
    return {
      left: ink.x - cell.x,
      top: ink.y - cell.y,
      right: cell.x + cell.width - ink.x - ink.width,
      bottom: cell.y + cell.height - ink.y - ink.height,
    };
  };

  it('[FILL42] a page with every overlay: qpdf finds no fault', () => {
    const check = room.try('qpdf', '--check', 'after.pdf');
    expect(check).toMatchObject({ status: 0, said: expect.not.stringContaining('WARNING') });
  });

  it('[FILL10][FILL11][FILL62] the text of the overlays: poppler reads it, and nothing else', () => {
    const words = popplerWords(room, 'after.pdf').map(({ text: word }) => word);
    const all = words.join(' ');
    for (const expected of [
      '16 Nov 2026',
      '1.234.567,89',
      'Dear Ada',
      'SHOWN',
      'Grace Hopper',
      'Sign here',
    ]) {
      expect(all).toContain(expected);
    }
    // Complete in three cells; clipped to the box in the fourth.
    expect(words.filter((word) => word === 'runs')).toHaveLength(3);
    expect(words.filter((word) => word === 'quick')).toHaveLength(4);
    expect(all).not.toContain('HIDDEN');
    expect(popplerWords(room, 'bare.pdf').map(({ text: word }) => word)).not.toContain('Sign');
  });

  it('[FILL60][FILL61][FILL80] the fonts of the overlays: embedded as subsets with their characters', () => {
    const faces = room
      .run('pdffonts', 'after.pdf')
      .split('\n')
      .flatMap(
        (line) => /^[A-Z]{6}\+(\S+) .* (yes|no) +(yes|no) +(yes|no) +\d+ +0$/.exec(line)?.slice(1) ?? [],
      );
    expect(faces.filter((word) => word === 'no')).toEqual([]);
    const names = faces.filter((word) => word !== 'yes');
    expect(names).toEqual(
      expect.arrayContaining([
        'Arimo-Regular',
        'Arimo-Bold',
        'Tinos-Italic',
        'Cousine-Bold',
        'Tinos-BoldItalic',
      ]),
    );
    expect(names.some((name) => name.startsWith('NotoSansThai'))).toBe(true);
  });

  describe.each(VIEWERS)('%s', (viewer) => {
    it('[FILL5][FILL60][FILL65][FILL66][FILL71][FILL73][FILL74] each overlay: drawn in its cell, and nothing outside', () => {
      const { before, after } = seenBy(viewer);
      for (const id of NAMES) {
        const found = changedArea(before, after, areaOf(id), DPI);
        expect(found === null, id).toBe(EMPTY.includes(id));
      }
      const blanked = { ...after, pixels: new Uint8Array(after.pixels) };
      for (const id of NAMES) blank(blanked, areaOf(id));
      expect(changedArea(before, blanked, { x: 0, y: 0, width: 612, height: 792 }, DPI)).toBeNull();
    });

    it('[FILL75] a sticker that is not included: not drawn', () => {
      const { before, bare } = seenBy(viewer);
      expect(changedArea(before, bare, areaOf('sticker'), DPI)).toBeNull();
      expect(changedArea(before, bare, areaOf('signature'), DPI)).not.toBeNull();
    });

    it('[FILL63] alignment: horizontal and vertical', () => {
      const [top, middle, bottom] = ['top', 'middle', 'bottom'].map((id) => margins(viewer, id));
      expect(top?.left).toBeLessThan(2);
      expect(top?.top).toBeLessThan(5);
      expect(Math.abs((middle?.left ?? 0) - (middle?.right ?? 99))).toBeLessThan(1.5);
      expect(Math.abs((middle?.top ?? 0) - (middle?.bottom ?? 99))).toBeLessThan(3);
      expect(bottom?.right).toBeLessThan(2);
      expect(bottom?.bottom).toBeLessThan(5);
    });

    it('[FILL62] long text: shrinks, wraps or is clipped, with its line height', () => {
      expect(inkOf(viewer, 'shrink').height).toBeLessThan(6);
      expect(inkOf(viewer, 'shrink').width).toBeGreaterThan(110);
      expect(inkOf(viewer, 'shrink in lines').height).toBeGreaterThan(35);
      expect(inkOf(viewer, 'wrap').height).toBeGreaterThan(25);
      expect(inkOf(viewer, 'clip').height).toBeLessThan(14);
      expect(margins(viewer, 'clip').right).toBeLessThan(2);
      const spacing = inkOf(viewer, 'double spaced').height - inkOf(viewer, 'single spaced').height;
      expect(Math.abs(spacing - 12)).toBeLessThan(1);
    });

    it('[FILL67] rotation and opacity: about the centre, and translucent', () => {
      const turned = inkOf(viewer, 'turned 90');
      expect(turned.height).toBeGreaterThan(2.5 * turned.width);
      // Left and top become right and bottom after a rotation by 180 degrees.
      expect(margins(viewer, 'turned 180').right).toBeLessThan(2);
      expect(margins(viewer, 'turned 180').bottom).toBeLessThan(5);
      const { after } = seenBy(viewer);
      const share = (id: string, whole: string) =>
        darkness(after, areaOf(id), DPI) / darkness(after, areaOf(whole), DPI);
      expect(Math.abs(share('faint', 'solid') - 0.3)).toBeLessThan(0.03);
      expect(Math.abs(share('faint picture', 'stretch') - 0.6)).toBeLessThan(0.03);
    });

    it('[FILL71] pictures: fit their box', () => {
      // A 4:1 picture in a 12:5 cell; poppler widens pictures to whole pixels.
      const sizes = { contain: 30, 'contain low': 30, cover: 50, stretch: 50 };
      for (const [id, height] of Object.entries(sizes)) {
        expect(Math.abs(inkOf(viewer, id).height - height), id).toBeLessThanOrEqual(1);
        expect(Math.abs(inkOf(viewer, id).width - 120), id).toBeLessThanOrEqual(1);
      }
      expect(Math.abs(margins(viewer, 'contain').top - 10)).toBeLessThanOrEqual(1);
      expect(margins(viewer, 'contain low').bottom).toBeLessThanOrEqual(1);
      // Ten stripes, of which `cover` crops four.
      expect(stripes(seenBy(viewer).after, areaOf('stretch'))).toBe(10);
      expect(stripes(seenBy(viewer).after, areaOf('cover'))).toBe(6);
    });

    it('the darkness of each cell: as in poppler', () => {
      for (const id of NAMES) {
        const own = darkness(seenBy(viewer).after, areaOf(id), DPI);
        const other = darkness(seenBy('poppler').after, areaOf(id), DPI);
        expect(Math.abs(own - other), id).toBeLessThanOrEqual(0.004 + 0.12 * other);
      }
    });
  });
});

function blank({ width, pixels }: Picture, area: Area): void {
  const scale = DPI / 72;
  const edge = 1; // antialiasing may extend one pixel beyond the edge
  for (let y = Math.floor(area.y * scale) - edge; y < (area.y + area.height) * scale + edge; y += 1) {
    const left = y * width + Math.floor(area.x * scale) - edge;
    pixels.fill(255, left, left + Math.ceil(area.width * scale) + 2 * edge);
  }
}

/** Counts the changes between dark and light grey along the middle of an area, plus one. */
function stripes({ width, pixels }: Picture, { x, y, width: wide, height }: Area): number {
  const scale = DPI / 72;
  const row = Math.round((y + height / 2) * scale) * width;
  let count = 1;
  let wasDark: boolean | null = null;
  for (let at = Math.round((x + 2) * scale); at < (x + wide - 2) * scale; at += 1) {
    const isDark = (pixels[row + at] ?? 255) < 105;
    if (wasDark !== null && isDark !== wasDark) count += 1;
    wasDark = isDark;
  }
  return count;
}

/** A picture of 40 by 10 pixels in dark and light grey. */
function widePng(): Uint8Array {
  const line = [0, ...Array.from({ length: 40 }, (_, x) => (x % 8 < 4 ? 60 : 150))];
  return smallPng([0, 0, 0, 40, 0, 0, 0, 10, 8, 0, 0, 0, 0], Array.from({ length: 10 }, () => line).flat());
}
