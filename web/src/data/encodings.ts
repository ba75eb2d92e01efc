/** The encodings offered for a CSV file: labels of the Encoding Standard and their common names. */
export const ENCODINGS: readonly (readonly [string, string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Western European (Windows-1252)'],
  ['iso-8859-15', 'Western European (ISO 8859-15)'],
  ['macintosh', 'Western European (Mac)'],
  ['windows-1250', 'Central European (Windows-1250)'],
  ['iso-8859-2', 'Central European (ISO 8859-2)'],
  ['windows-1251', 'Cyrillic (Windows-1251)'],
  ['koi8-r', 'Cyrillic (KOI8-R)'],
  ['ibm866', 'Cyrillic (DOS 866)'],
  ['windows-1253', 'Greek (Windows-1253)'],
  ['windows-1254', 'Turkish (Windows-1254)'],
  ['windows-1255', 'Hebrew (Windows-1255)'],
  ['windows-1256', 'Arabic (Windows-1256)'],
  ['windows-1257', 'Baltic (Windows-1257)'],
  ['windows-1258', 'Vietnamese (Windows-1258)'],
  ['windows-874', 'Thai (Windows-874)'],
  ['shift_jis', 'Japanese (Shift JIS)'],
  ['euc-jp', 'Japanese (EUC-JP)'],
  ['gb18030', 'Chinese, simplified (GB 18030)'],
  ['big5', 'Chinese, traditional (Big5)'],
  ['euc-kr', 'Korean (EUC-KR)'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16 BE'],
];

/** Returns the label's name in the list, or the label itself. */
export const encodingName = (label: string): string =>
  ENCODINGS.find(([known]) => known === label)?.[1] ?? label;

/** Returns the list, plus the given label if it is not included. */
export const encodingsWith = (label: string | null): readonly (readonly [string, string])[] =>
  label === null || ENCODINGS.some(([known]) => known === label) ? ENCODINGS : [...ENCODINGS, [label, label]];
