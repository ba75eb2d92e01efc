/** Why a source PDF is not accepted; the codes of the public error catalogue. */
export type PdfRefusalCode = 'PDF_INVALID' | 'PDF_ENCRYPTED' | 'PDF_TOO_MANY_PAGES' | 'PDF_TOO_LARGE';

/** Thrown inside prepare only; `prepareBase` turns it into a value before it leaves. */
export class PdfRefused extends Error {
  readonly code: PdfRefusalCode;

  constructor(code: PdfRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
