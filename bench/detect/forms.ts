import { createHash } from 'node:crypto';

/**
 * The AcroForm files of the corpus and why some are left out. A file belongs in the benchmark if its pages print lines or boxes
 * where its fields are: without them there is nothing to detect once the widgets are removed.
 */
export const FORMS: readonly string[] = [
  'forms/irs-fw9.pdf',
  'forms/state-ds11.pdf',
  'forms/uscis-i-821.pdf',
  'forms/uscis-i-90.pdf',
  'forms/uscourts-b_101.pdf',
  'forms/uscourts-form_b101b.pdf',
  'forms/uscourts-form_b106ef.pdf',
  'forms/uscourts-form_b106h.pdf',
  'forms/uscourts-form_b106sum.pdf',
  'forms/uscourts-form_b_107.pdf',
  'pdfjs/annotation-text-widget.pdf',
  'pypdf/libreoffice-form.pdf',
];

export const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'the pages print neither a line nor a box; the widgets draw everything': [
    'pdfjs/bug1802888.pdf',
    'pdfjs/bug1825002.pdf',
    'pdfjs/checkbox_no_appearance.pdf',
    'pdfjs/dates_save.pdf',
    'pdfjs/issue12706.pdf',
    'pdfjs/issue13269.pdf',
    'pdfjs/issue14023.pdf',
    'pdfjs/issue14862.pdf',
    'pdfjs/issue15053.pdf',
    'pdfjs/issue15815.pdf',
    'pdfjs/issue17540.pdf',
    'pdfjs/issue18536.pdf',
    'pdfjs/js-authors.pdf',
    'pypdf/pdflatex-forms.pdf',
  ],
  'its one field covers an empty part of the page, without a line or a label': ['pdfjs/issue18036.pdf'],
};

/** The quarter of the forms with the smallest hashes of their names, on which the detector was never adjusted. */
export const HELD_BACK: ReadonlySet<string> = new Set(
  [...FORMS].sort((a, b) => hash(a).localeCompare(hash(b))).slice(0, FORMS.length / 4),
);

function hash(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
