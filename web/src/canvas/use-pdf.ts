import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { openPdf } from '../pdf/open-pdf.ts';
import { tell } from '../ui/messages.tsx';

/** Opens the source for drawing, and closes it when the screen unmounts. */
export function usePdf(bytes: Uint8Array): PDFDocumentProxy | null {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  useEffect(() => {
    let opened: PDFDocumentProxy | null = null;
    let stale = false;
    openPdf(bytes).then(
      (document) => {
        opened = document;
        if (stale) document.loadingTask.destroy();
        else setPdf(document);
      },
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        if (!stale)
          tell(
            'bad',
            `The pages cannot be drawn: ${reason} You can still place fields by entering their position.`,
          );
      },
    );
    return () => {
      stale = true;
      setPdf(null);
      opened?.loadingTask.destroy();
    };
  }, [bytes]);
  return pdf;
}
