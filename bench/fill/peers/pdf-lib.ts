import * as cantoo from '@cantoo/pdf-lib';
import * as original from 'pdf-lib';
import type { Peer } from './peer.ts';
import { qrPath } from './qr-path.ts';

/** pdf-lib and its maintained fork share an interface; the fork can also save incrementally. */
type Library = typeof original;

function drawRow(library: Library, page: original.PDFPage, cells: readonly string[]): void {
  const { height } = page.getSize();
  for (let text = 0; text < 5; text += 1) {
    page.drawText(cells[text] ?? '', { x: 72, y: height - 112 - text * 24, size: 12 });
  }
  page.drawSvgPath(qrPath(cells[5] ?? '', 90), { x: 430, y: height - 96, color: library.rgb(0, 0, 0) });
}

function naive(name: string, library: Library): Peer {
  return {
    name,
    open: async (source) => async (cells) => {
      const document = await library.PDFDocument.load(source);
      const font = await document.embedFont(library.StandardFonts.Helvetica);
      document.getPage(0).setFont(font);
      drawRow(library, document.getPage(0), cells);
      return document.save();
    },
  };
}

/** Loads once. Each row draws into a new content stream, and everything it added is removed after saving. */
function loadOnce(name: string, library: Library): Peer {
  return {
    name,
    open: async (source) => {
      const document = await library.PDFDocument.load(source);
      const font = await document.embedFont(library.StandardFonts.Helvetica);
      // The first save adds the font to the document.
      await document.save({ useObjectStreams: false });
      const page = document.getPage(0);
      // Passing the font with every text would add an entry to the page's resources each time.
      page.setFont(font);
      const { context } = document;
      const key = library.PDFName.of('Contents');
      const contents = page.node.Contents();
      const before = contents instanceof library.PDFArray ? contents.asArray() : [page.node.get(key)];
      const kept = context.largestObjectNumber;
      return async (cells) => {
        page.node.set(key, context.obj(before.filter((part) => part !== undefined)));
        // The page keeps its content stream in private fields; a row must start a new one.
        Reflect.set(page, 'contentStream', undefined);
        Reflect.set(page, 'contentStreamRef', undefined);
        drawRow(library, page, cells);
        const bytes = await document.save({ useObjectStreams: false });
        for (let number = kept + 1; number <= context.largestObjectNumber; number += 1) {
          context.delete(library.PDFRef.of(number));
        }
        context.largestObjectNumber = kept;
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
    document.getPage(0).setFont(font);
    drawRow(cantoo as unknown as Library, document.getPage(0) as unknown as original.PDFPage, cells);
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
