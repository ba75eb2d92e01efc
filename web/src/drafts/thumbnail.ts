import { openPdf } from '../pdf/open-pdf.ts';

const WIDTH = 320;

/** Renders a thumbnail of the first page. */
export async function makeThumbnail(pdf: Uint8Array): Promise<Blob | null> {
  const document_ = await openPdf(pdf);
  try {
    const page = await document_.getPage(1);
    const { width } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: WIDTH / width });
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    await page.render({ canvas, viewport }).promise;
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    await document_.loadingTask.destroy();
  }
}
