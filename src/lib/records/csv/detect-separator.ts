import { splitRecord } from './split-record.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Enough records to compare. More would only delay the first row. */
const SAMPLE_RECORDS = 50;
/** Enough cells of one record to compare. */
const SAMPLE_CELLS = 65_536;

/**
 * Detects the separator from the first records. A candidate is good if no unquoted field contains a quote and most records have the same
 * number of fields, more than one. Of two good candidates the one with more fields wins, then the comma. One exception: if every comma is
 * between two digits it is a decimal mark, and another candidate is the separator (`1,5;2,5`, common in Europe).
 *
 * `sample` is the start of the text; `whole` says that nothing follows it. Returns null if the sample is too short: the first record has a
 * quoted field that is still open.
 */
export function detectSeparator(sample: string, whole: boolean): Separator | null {
  const verdicts: Verdict[] = [];
  for (const separator of SEPARATORS) {
    const verdict = judge(sample, separator, whole);
    if (verdict === null) return null;
    if (verdict.fields > 1) verdicts.push(verdict);
  }
  const decimalComma = !/(^|[^0-9]),|,([^0-9]|$)/m.test(sample);
  const candidates =
    decimalComma && verdicts.some((v) => v.separator !== ',' && v.agreement === 1)
      ? verdicts.filter((verdict) => verdict.separator !== ',')
      : verdicts;
  candidates.sort(
    (a, b) => a.strayQuotes - b.strayQuotes || b.agreement - a.agreement || b.fields - a.fields,
  );
  return candidates[0]?.separator ?? ',';
}

interface Verdict {
  readonly separator: Separator;
  /** The most frequent number of fields. */
  readonly fields: number;
  /** The share of records with that number. */
  readonly agreement: number;
  readonly strayQuotes: number;
}

function judge(sample: string, separator: Separator, whole: boolean): Verdict | null {
  const counts = new Map<number, number>();
  let records = 0;
  let strayQuotes = 0;
  for (let at = 0; at < sample.length && records < SAMPLE_RECORDS; ) {
    const record = splitRecord(sample, at, separator, whole, SAMPLE_CELLS);
    if (record.kind === 'too-many-cells' && records === 0)
      return { separator, fields: SAMPLE_CELLS, agreement: 1, strayQuotes };
    // An incomplete record, or one that is not CSV, is not counted; the reader will reject it.
    if (record.kind === 'incomplete' && at === 0) return null;
    if (record.kind !== 'record') break;
    at = record.end;
    if (record.cells.length === 1 && record.cells[0] === '') continue;
    records += 1;
    if (record.strayQuote) strayQuotes += 1;
    counts.set(record.cells.length, (counts.get(record.cells.length) ?? 0) + 1);
  }
  let fields = 0;
  let most = 0;
  for (const [count, times] of counts) {
    if (times > most || (times === most && count > fields)) [fields, most] = [count, times];
  }
  return { separator, fields, agreement: records === 0 ? 0 : most / records, strayQuotes };
}
