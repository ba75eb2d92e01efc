import { launchChromium } from './chromium.ts';
import type { Renderer } from './renderings.ts';
import { serveSources } from './source-server.ts';

/** Renders pages with pdf.js on a canvas in Chromium, with the annotations' own appearances, as Firefox prints them. */
export interface PdfjsViewer {
  readonly render: Renderer;
  close(): Promise<void>;
}

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
  import * as pdfjs from '/node_modules/pdfjs-dist/build/pdf.mjs';
  pdfjs.GlobalWorkerOptions.workerSrc = '/node_modules/pdfjs-dist/build/pdf.worker.mjs';
  globalThis.renderPage = async ({ base64, number, scale }) => {
    const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const task = pdfjs.getDocument({ data, standardFontDataUrl: '/node_modules/pdfjs-dist/standard_fonts/' });
    const page = await (await task.promise).getPage(number);
    const viewport = page.getViewport({ scale });
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    const canvasContext = canvas.getContext('2d');
    await page.render({ canvas, canvasContext, viewport, annotationMode: pdfjs.AnnotationMode.ENABLE }).promise;
    const { data: rgba } = canvasContext.getImageData(0, 0, canvas.width, canvas.height);
    let pixels = '';
    for (let at = 0; at < rgba.length; at += 4) {
      pixels += String.fromCharCode(0.299 * rgba[at] + 0.587 * rgba[at + 1] + 0.114 * rgba[at + 2]);
    }
    await task.destroy();
    return { width: canvas.width, height: canvas.height, base64: btoa(pixels) };
  };
  globalThis.ready = true;
</script>`;

export async function openPdfjsViewer(): Promise<PdfjsViewer> {
  const server = await serveSources(PAGE);
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction('globalThis.ready === true');
  return {
    render: async (room, file, dpi, number = 1) => {
      const base64 = Buffer.from(room.read(file)).toString('base64');
      const drawn = await page.evaluate(
        (question) =>
          (
            globalThis as unknown as {
              renderPage(question: unknown): Promise<{ width: number; height: number; base64: string }>;
            }
          ).renderPage(question),
        { base64, number, scale: dpi / 72 },
      );
      const pixels = new Uint8Array(Buffer.from(drawn.base64, 'base64'));
      return { width: drawn.width, height: drawn.height, pixels };
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
