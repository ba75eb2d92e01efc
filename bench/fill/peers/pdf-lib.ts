import * as cantoo from '@cantoo/pdf-lib';
import * as original from 'pdf-lib';
import type { Peer } from './peer.ts';
import { qrPath } from './qr-path.ts';

/** pdf-lib and its maintained fork share an interface; the fork can also save incrementally. */
type Library = typeof original;

function drawRow(
  library: Library,
  page: original.PDFPage,
  font: original.PDFFont,
  cells: readonly string[],
): void {
  const { height } = page.getSize();
  for (let text = 0; text < 5; text += 1) {
    page.drawText(cells[text] ?? '', { x: 72, y: height - 112 - text * 24, size: 12, font });
  }
  page.drawSvgPath(qrPath(cells[5] ?? '', 90), { x: 430, y: height - 96, color: library.rgb(0, 0, 0) });
}

function naive(name: string, library: Library): Peer {
  return {
    name,
    open: async (source) => async (cells) => {
      const document = await library.PDFDocument.load(source);
      const font = await document.embedFont(library.StandardFonts.Helvetica);
      drawRow(library, document.getPage(0), font, cells);
      return document.save();
    },
  };
}

/** Loads once; each row draws into a fresh content stream, which is taken away again after saving. */
function loadOnce(name: string, library: Library): Peer {
  return {
    name,
    open: async (source) => {
      const document = await library.PDFDocument.load(source);
      const font = await document.embedFont(library.StandardFonts.Helvetica);
      const page = document.getPage(0);
      const contents = page.node.Contents();
      const key = library.PDFName.of('Contents');
      const before = contents instanceof library.PDFArray ? contents.asArray() : [page.node.get(key)];
      return async (cells) => {
        const fresh = document.context.obj(before.filter((part) => part !== undefined));
        page.node.set(key, fresh);
        page.resetPosition();
        // The page keeps its content stream in a private field; a row must begin another.
        Reflect.set(page, 'contentStream', undefined);
        Reflect.set(page, 'contentStreamRef', undefined);
        drawRow(library, page, font, cells);
        const bytes = await document.save({ useObjectStreams: false });
        const added = fresh.get(fresh.size() - 1);
        if (added instanceof library.PDFRef) document.context.delete(added);
        return bytes;
      };
    },
  };
}

const incremental: Peer = {
  name: '@cantoo/pdf-lib, incremental',
  open: async (source) => async (cells) => {
    const document = await cantoo.PDFDocument.load(source, { forIncrementalUpdate: true });
    const font = await document.embedFont(cantoo.StandardFonts.Helvetica);
    drawRow(
      cantoo as unknown as Library,
      document.getPage(0) as unknown as original.PDFPage,
      font as unknown as original.PDFFont,
      cells,
    );
    return document.save();
  },
};

export const pdfLibPeers: readonly Peer[] = [
  naive('pdf-lib, as its README shows', original),
  loadOnce('pdf-lib, loaded once', original),
  naive('@cantoo/pdf-lib, as its README shows', cantoo as unknown as Library),
  loadOnce('@cantoo/pdf-lib, loaded once', cantoo as unknown as Library),
  incremental,
];
