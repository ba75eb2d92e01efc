import { splitRecord } from './split-record.ts';

/**
 * Finds the separator from the first records. A candidate is good when it leaves no quotes inside unquoted fields and the same
 * number of fields (more than one) comes back in most records; between two good ones the one with more
 * fields wins, then the comma. One exception: where every comma stands between two digits it is a decimal mark, and the other
 * candidate is the separator (`1,5;2,5` in half of Europe).
 */
const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Enough records to see a rhythm; more would only delay the first row. */
const SAMPLE_RECORDS = 50;

/**
 * `sample` is the beginning of the text; `whole` says that nothing follows it. Null asks for a longer sample: the first
 * record has a quoted field that is still open.
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
  /** The commonest number of fields. */
  readonly fields: number;
  /** The share of records that have it. */
  readonly agreement: number;
  readonly strayQuotes: number;
}

function judge(sample: string, separator: Separator, whole: boolean): Verdict | null {
  const counts = new Map<number, number>();
  let records = 0;
  let strayQuotes = 0;
  for (let at = 0; at < sample.length && records < SAMPLE_RECORDS; ) {
    const record = splitRecord(sample, at, separator, whole);
    // A record the sample cuts off, or one that is no CSV, says nothing; the reader itself will judge it.
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
