import type { MarkLine } from '../page-content/read-marks.ts';
import type { TypedLine } from './text-runs.ts';

/** A straight line of the page, merged from the pieces that it is drawn with. */
export interface Rule {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly thickness: number;
  /** Typed with underscores or dots, or drawn dotted: nothing but a line to write on looks so. */
  readonly typed: boolean;
}

export interface PageRules {
  readonly across: readonly Rule[];
  readonly down: readonly Rule[];
}

const SAME = 0.9; // points between two pieces of one line
const TOUCH = 1.5; // gap between two pieces of one line
const DOT = 3.2; // a dot or dash of a dotted line is at most this long
const DOT_GAP = 5;
const LEAST_DOTS = 5;
const MOST_RULES = 1_500; // the longest are kept: finding cells takes time with the square of their number

export function pageRules(lines: readonly MarkLine[], typedLines: readonly TypedLine[]): PageRules {
  const typed = typedLines.map(({ at, from, to }): Rule => ({ at, from, to, thickness: 0.5, typed: true }));
  return {
    across: longest([...typed, ...merged(lines.filter(({ axis }) => axis === 'h'))]),
    down: longest(merged(lines.filter(({ axis }) => axis === 'v'))),
  };
}

function longest(rules: readonly Rule[]): Rule[] {
  const kept = rules.length <= MOST_RULES ? [...rules] : byLength(rules).slice(0, MOST_RULES);
  return kept.sort((a, b) => a.at - b.at || a.from - b.from);
}

const byLength = (rules: readonly Rule[]) => [...rules].sort((a, b) => b.to - b.from - (a.to - a.from));

/** Joins pieces at the same position whose ends meet, and dots in a row. */
function merged(lines: readonly MarkLine[]): Rule[] {
  const sorted = [...lines].sort((a, b) => a.at - b.at);
  const rules: Rule[] = [];
  let bundle: MarkLine[] = [];
  const flush = () => {
    rules.push(...joined(bundle));
    bundle = [];
  };
  for (const line of sorted) {
    const first = bundle[0];
    if (first !== undefined && line.at - first.at > SAME) flush();
    bundle.push(line);
  }
  flush();
  return rules;
}

function joined(bundle: readonly MarkLine[]): Rule[] {
  const rules: (Rule & { pieces: number; inked: number })[] = [];
  for (const line of [...bundle].sort((a, b) => a.from - b.from)) {
    const last = rules.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : line.from - last.to;
    const isDot = line.to - line.from <= DOT && last !== undefined && last.inked / last.pieces <= DOT;
    if (last !== undefined && (gap <= TOUCH || (isDot && gap <= DOT_GAP))) {
      const pieces = last.pieces + 1;
      rules[rules.length - 1] = {
        at: last.to - last.from >= line.to - line.from ? last.at : line.at,
        from: last.from,
        to: Math.max(last.to, line.to),
        thickness: Math.max(last.thickness, line.thickness),
        pieces,
        inked: last.inked + line.to - line.from,
        typed: false,
      };
    } else rules.push({ ...line, pieces: 1, inked: line.to - line.from, typed: false });
  }
  return rules
    .filter(({ pieces, from, to }) => pieces === 1 || to - from > DOT)
    .map(({ at, from, to, thickness, pieces, inked }) => ({
      at,
      from,
      to,
      thickness,
      typed: pieces >= LEAST_DOTS && inked / pieces <= DOT && inked < 0.8 * (to - from),
    }));
}
