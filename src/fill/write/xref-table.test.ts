import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PDF } from '@libpdf/core';
import { describe, expect, it } from 'vitest';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts } from '../../../test/support/read-pdf.ts';
import { ByteSink } from './byte-sink.ts';
import { writeXref } from './xref-table.ts';

describe('a cross-reference section', () => {
  it('[FILL111] no changed object: contains the free entry 0', () => {
    const sink = new ByteSink();
    writeXref(sink, [], false);
    expect(Buffer.from(sink.view()).toString('latin1')).toBe('xref\n0 1\n0000000000 65535 f \n');
  });

  it('[FILL111] a row that changes nothing: pdf.js, PDFium and libpdf read it without repair', async () => {
    const fill = await prepareForTest(pagesPdf([{}, {}]), {});
    const bytes = fill.pdf('x');
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/xref\ntrailer/);
    expect(await pageTexts(bytes)).toEqual(['ORIGINAL', 'ORIGINAL']);
    const read = await PDF.load(bytes);
    expect([read.getPageCount(), read.recoveredViaBruteForce]).toEqual([2, false]);
    const pdfium = await PDFiumLibrary.init();
    const document = await pdfium.loadDocument(bytes);
    expect(document.getPageCount()).toBe(2);
    document.destroy();
    pdfium.destroy();
  });
});
