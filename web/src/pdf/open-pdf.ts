import type { PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

/**
 * Opens a PDF with pdf.js, which is loaded on first use. Its files come from our own server (vite/pdfjs-files.ts). pdf.js
 * transfers the array, so it gets a copy.
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
