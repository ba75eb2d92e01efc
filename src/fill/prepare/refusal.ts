/** Codes of the public error catalogue for a rejected source. PACKAGE_INVALID is for a font that cannot be opened. */
export type PdfRefusalCode =
  | 'PDF_INVALID'
  | 'PDF_ENCRYPTED'
  | 'PDF_TOO_MANY_PAGES'
  | 'PDF_TOO_LARGE'
  | 'PACKAGE_INVALID';

export interface Refusal {
  readonly ok: false;
  readonly code: PdfRefusalCode;
  readonly message: string;
  /** The file may be valid: a less busy machine might have been able to read it. */
  readonly passing?: true;
  /** The reader was stopped at a limit of time, memory or output. */
  readonly costly?: true;
}

/** Thrown inside prepare only; `refusalOf` turns it into a value before it leaves. */
export class PdfRefused extends Error {
  readonly code: PdfRefusalCode;

  constructor(code: PdfRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof PdfRefused) return { ok: false, code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  if (reason.startsWith('bug:')) throw error;
  // A parser that fails in any other way (a stack overflow on deep nesting, a bad filter) has read a bad file.
  return { ok: false, code: 'PDF_INVALID', message: `The PDF cannot be processed: ${reason}.` };
}
