import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What an independent reader (pdf.js) finds on a page. */
export interface ReadPage {
  /** The displayed size, in points. */
  readonly width: number;
  readonly height: number;
  readonly texts: readonly ReadText[];
}

export interface ReadText {
  readonly text: string;
  /** Start of the baseline, from the top-left corner of the page as displayed. */
  readonly x: number;
  readonly y: number;
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPage[]> {
  // pdf.js takes ownership of the buffer it is given.
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
  });
  const document = await task.promise;
  try {
    const pages: ReadPage[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const content = await page.getTextContent();
      const texts = content.items.flatMap((item) => {
        if (!('str' in item) || item.str === '') return [];
        const [x = 0, y = 0] = viewport.convertToViewportPoint(item.transform[4], item.transform[5]);
        return [{ text: item.str, x, y }];
      });
      pages.push({ width: viewport.width, height: viewport.height, texts });
    }
    return pages;
  } finally {
    await task.destroy();
  }
}

export async function pageTexts(bytes: Uint8Array): Promise<string[]> {
  const pages = await readPdf(bytes);
  return pages.map((page) => page.texts.map(({ text }) => text).join(' '));
}

/** The values of native form fields by name, as a viewer would show them; empty once they are flattened. */
export async function readFields(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
  });
  const document = await task.promise;
  try {
    const values: Record<string, unknown> = {};
    for (let number = 1; number <= document.numPages; number += 1) {
      const annotations = await (await document.getPage(number)).getAnnotations();
      for (const { subtype, fieldName, fieldValue } of annotations) {
        if (subtype === 'Widget') values[fieldName] = fieldValue;
      }
    }
    return values;
  } finally {
    await task.destroy();
  }
}

/** Where the links of each page lead: a page (from 0), an address, or null where the reader finds nothing. */
export async function readLinks(bytes: Uint8Array): Promise<(number | string | null)[][]> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
  });
  const document = await task.promise;
  const target = async (named: unknown): Promise<number | null> => {
    const destination = typeof named === 'string' ? await document.getDestination(named) : named;
    if (!Array.isArray(destination)) return null;
    const [page] = destination;
    if (typeof page === 'number') return page;
    // It has no better answer for a page that is not in the page tree.
    return document.getPageIndex(page).catch(() => null);
  };
  try {
    const pages: (number | string | null)[][] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const annotations = await (await document.getPage(number)).getAnnotations();
      const links = annotations.filter(({ subtype }) => subtype === 'Link');
      pages.push(await Promise.all(links.map(({ url, dest }) => url ?? target(dest))));
    }
    return pages;
  } finally {
    await task.destroy();
  }
}
