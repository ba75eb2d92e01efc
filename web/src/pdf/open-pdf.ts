import type { PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

/**
 * The one way to pdf.js, loaded when first needed. Everything it may ask for comes from our own server (vite/pdfjs-files.ts).
 * It takes the array it is given for itself, so it gets a copy.
 */
const files = (folder: string) => new URL(`pdfjs/${folder}/`, document.baseURI).href;

export const loadPdfjs = async () => {
  const pdfjs = await import('pdfjs-dist');
  pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
  return pdfjs;
};

export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const pdfjs = await loadPdfjs();
  return pdfjs.getDocument({
    data: bytes.slice(),
    cMapUrl: files('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: files('standard_fonts'),
    iccUrl: files('iccs'),
    wasmUrl: files('wasm'),
    useSystemFonts: false,
    isEvalSupported: false,
  }).promise;
}
