import { black, PDF } from '@libpdf/core';
import type { Peer } from './peer.ts';
import { qrPath } from './qr-path.ts';

async function fill(source: Uint8Array, cells: readonly string[], incremental: boolean): Promise<Uint8Array> {
  const pdf = await PDF.load(source);
  const page = pdf.getPage(0);
  if (page === null) throw new Error('the source has no page');
  for (let text = 0; text < 5; text += 1) {
    page.drawText(cells[text] ?? '', {
      x: 72,
      y: page.height - 112 - text * 24,
      size: 12,
      font: 'Helvetica',
    });
  }
  page.drawSvgPath(qrPath(cells[5] ?? '', 90), { x: 430, y: page.height - 96, color: black });
  return pdf.save(incremental ? { incremental: true } : {});
}

export const libpdfPeers: readonly Peer[] = [
  {
    name: '@libpdf/core, as its README shows',
    open: async (source) => (cells) => fill(source, cells, false),
  },
  { name: '@libpdf/core, incremental', open: async (source) => (cells) => fill(source, cells, true) },
];
