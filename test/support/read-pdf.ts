import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A page as read by an independent reader (pdf.js). */
export interface ReadPage {
  /** The displayed size, in points. */
  readonly width: number;
  readonly height: number;
  readonly texts: readonly ReadText[];
}

export interface ReadText {
  readonly text: string;
  /** Start of the baseline, from the top-left corner of the displayed page. */
  readonly x: number;
  readonly y: number;
}

export function readPdf(bytes: Uint8Array, password?: string): Promise<ReadPage[]> {
  const read = async (page: PDFPageProxy) => {
    const viewport = page.getViewport({ scale: 1 });
    const content = await page.getTextContent();
    const texts = content.items.flatMap((item) => {
      if (!('str' in item) || item.str === '') return [];
      const [x = 0, y = 0] = viewport.convertToViewportPoint(item.transform[4], item.transform[5]);
      return [{ text: item.str, x, y }];
    });
    return { width: viewport.width, height: viewport.height, texts };
  };
  return eachPage(bytes, read, password);
}

export async function pageTexts(bytes: Uint8Array, password?: string): Promise<string[]> {
  const pages = await readPdf(bytes, password);
  return pages.map((page) => page.texts.map(({ text }) => text).join(' '));
}

/** Values of native form fields by name, as a viewer would show them; empty after flattening. */
export async function readFields(bytes: Uint8Array, password?: string): Promise<Record<string, unknown>> {
  const read = async (page: PDFPageProxy) => {
    const widgets = (await page.getAnnotations()).filter(({ subtype }) => subtype === 'Widget');
    return widgets.map(({ fieldName, fieldValue }) => [fieldName, fieldValue] as const);
  };
  const pages = await eachPage(bytes, read, password);
  return Object.fromEntries(pages.flat());
}

/** Link targets of each page: a page (from 0), an address, or null if the reader resolves none. */
export function readLinks(bytes: Uint8Array): Promise<(number | string | null)[][]> {
  return eachPage(bytes, async (page, document) => {
    const links = (await page.getAnnotations()).filter(({ subtype }) => subtype === 'Link');
    return Promise.all(links.map(({ url, dest }) => url ?? targetOf(document, dest)));
  });
}

async function targetOf(document: PDFDocumentProxy, named: unknown): Promise<number | null> {
  const destination = typeof named === 'string' ? await document.getDestination(named) : named;
  if (!Array.isArray(destination)) return null;
  const [page] = destination;
  if (typeof page === 'number') return page;
  // pdf.js has no better answer for a page outside the page tree.
  return document.getPageIndex(page).catch(() => null);
}

async function eachPage<T>(
  bytes: Uint8Array,
  read: (page: PDFPageProxy, document: PDFDocumentProxy) => Promise<T>,
  password?: string,
): Promise<T[]> {
  // pdf.js takes ownership of the buffer.
  const data = new Uint8Array(bytes);
  const quiet = { verbosity: 0, disableFontFace: true, useSystemFonts: false };
  const task = getDocument({ data, ...quiet, ...(password !== undefined && { password }) });
  try {
    const document = await task.promise;
    const found: T[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      found.push(await read(await document.getPage(number), document));
    }
    return found;
  } finally {
    await task.destroy();
  }
}
