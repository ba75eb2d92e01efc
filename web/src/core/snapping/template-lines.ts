import { apply } from '../geometry/matrix.ts';
import {
  type MatrixOperators,
  type PageOperators,
  pathOf,
  walkOperators,
} from '../page-content/walk-operators.ts';
import { type PathVisitor, walkPath } from '../page-content/walk-path.ts';
import type { SnapLine, SnapTargets } from './snap-lines.ts';

/**
 * Extracts the page's own lines and baselines from pdf.js data: its operator list (ISO 32000-2 §8.5 paths, in the
 * coordinates of the current matrix) and its text items. Rules, table borders and box edges are paths with vertical or
 * horizontal segments; slanted and curved segments are ignored.
 */
export interface TemplateContent extends PageOperators {
  readonly texts: readonly {
    readonly transform: readonly number[];
    readonly width: number;
    readonly str: string;
  }[];
}

/** The relevant operators, by their pdf.js numbers. */
export interface OperatorNumbers extends MatrixOperators {
  readonly constructPath: number;
}

const LEVEL = 0.25; // points of slant that still count as straight
const SHORTEST = 6;
const MERGE = 0.1;
const MOST_LINES = 2_000;

export function templateTargets(content: TemplateContent, numbers: OperatorNumbers): SnapTargets {
  const found = new LineSet();
  collectPaths(content, numbers, found);
  for (const { transform, width, str } of content.texts) {
    if (str.trim() === '') continue;
    const [a = 1, b = 0, , , e = 0, f = 0] = transform;
    const length = Math.hypot(a, b) || 1;
    const start = apply(content.toPage, e, f);
    const end = apply(content.toPage, e + (a / length) * width, f + (b / length) * width);
    if (Math.abs(start[1] - end[1]) <= LEVEL) {
      found.add('y', start[1], 'baseline', start[0], end[0]);
      found.add('x', start[0], 'edge', start[1] - length, start[1]);
    }
  }
  return { x: found.lines('x'), y: found.lines('y'), boxes: [] };
}

function collectPaths(content: TemplateContent, numbers: OperatorNumbers, found: LineSet): void {
  walkOperators(content, numbers, {
    operator: (operator, operands, matrix) => {
      const path = operator === numbers.constructPath ? pathOf(operands) : undefined;
      if (path !== undefined) walkPath(path, matrix, linesInto(found));
    },
  });
}

const linesInto = (found: LineSet): PathVisitor => ({
  move: () => undefined,
  line: (from, to) => {
    const [level, upright] = [Math.abs(to[1] - from[1]) <= LEVEL, Math.abs(to[0] - from[0]) <= LEVEL];
    if (level && !upright && Math.abs(to[0] - from[0]) >= SHORTEST)
      found.add('y', from[1], 'edge', from[0], to[0]);
    if (upright && !level && Math.abs(to[1] - from[1]) >= SHORTEST)
      found.add('x', from[0], 'edge', from[1], to[1]);
  },
});

/** Merges lines at the same position: a table's border is drawn once per cell. */
class LineSet {
  readonly #lines = { x: new Map<string, SnapLine>(), y: new Map<string, SnapLine>() };

  add(axis: 'x' | 'y', at: number, role: SnapLine['role'], end1: number, end2: number): void {
    const [from, to] = [Math.min(end1, end2), Math.max(end1, end2)];
    const lines = this.#lines[axis];
    const key = `${role}${Math.round(at / MERGE)}`;
    const known = lines.get(key);
    if (known === undefined && lines.size >= MOST_LINES) return;
    lines.set(key, {
      at: known?.at ?? at,
      role,
      of: 'template',
      from: Math.min(from, known?.from ?? from),
      to: Math.max(to, known?.to ?? to),
    });
  }

  lines(axis: 'x' | 'y'): readonly SnapLine[] {
    return [...this.#lines[axis].values()];
  }
}
