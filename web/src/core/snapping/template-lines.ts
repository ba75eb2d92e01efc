import type { SnapLine, SnapTargets } from './snap-lines.ts';

/**
 * Extracts the page's own lines and baselines from pdf.js data: its operator list (ISO 32000-2 §8.5 paths, in the
 * coordinates of the current matrix) and its text items. Rules, table borders and box edges are paths with vertical or
 * horizontal segments; slanted and curved segments are ignored.
 */
export type Matrix = readonly [number, number, number, number, number, number];

export interface TemplateContent {
  readonly operators: readonly number[];
  readonly operands: readonly unknown[];
  readonly texts: readonly {
    readonly transform: readonly number[];
    readonly width: number;
    readonly str: string;
  }[];
  /** Transforms the page's user space to the displayed page, in points. */
  readonly toPage: Matrix;
}

/** The relevant operators, by their pdf.js numbers. */
export interface OperatorNumbers {
  readonly save: number;
  readonly restore: number;
  readonly transform: number;
  readonly constructPath: number;
  readonly paintFormXObjectBegin: number;
  readonly paintFormXObjectEnd: number;
}

/** pdf.js encodes a path as one list: 0 x y (move), 1 x y (line), 2 and six numbers (curve), 3 and four, 4 (close). */
const PATH_OPERANDS = [2, 2, 6, 4, 0] as const;
const MOVE = 0;
const LINE = 1;
const CLOSE = 4;

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

function collectPaths(
  { operators, operands, toPage }: TemplateContent,
  numbers: OperatorNumbers,
  found: LineSet,
): void {
  let current = toPage;
  const stack: Matrix[] = [];
  operators.forEach((operator, index) => {
    const given = operands[index] as readonly unknown[] | null | undefined;
    if (operator === numbers.save) stack.push(current);
    else if (operator === numbers.restore || operator === numbers.paintFormXObjectEnd)
      current = stack.pop() ?? toPage;
    else if (operator === numbers.transform && given) current = product(current, given as unknown as Matrix);
    else if (operator === numbers.paintFormXObjectBegin) {
      stack.push(current);
      const matrix = given?.[0];
      if (Array.isArray(matrix) && matrix.length === 6)
        current = product(current, matrix as unknown as Matrix);
    } else if (operator === numbers.constructPath) {
      const path = (given?.[1] as readonly unknown[] | undefined)?.[0];
      if (path instanceof Float32Array) walkPath(path, current, found);
    }
  });
}

function walkPath(path: Float32Array, matrix: Matrix, found: LineSet): void {
  let at: readonly [number, number] = [0, 0];
  let start = at;
  const lineTo = (next: readonly [number, number]) => {
    const [level, upright] = [Math.abs(next[1] - at[1]) <= LEVEL, Math.abs(next[0] - at[0]) <= LEVEL];
    if (level && !upright && Math.abs(next[0] - at[0]) >= SHORTEST)
      found.add('y', at[1], 'edge', at[0], next[0]);
    if (upright && !level && Math.abs(next[1] - at[1]) >= SHORTEST)
      found.add('x', at[0], 'edge', at[1], next[1]);
    at = next;
  };
  let index = 0;
  while (index < path.length) {
    const piece = path[index] ?? CLOSE;
    const count = PATH_OPERANDS[piece as keyof typeof PATH_OPERANDS & number];
    if (count === undefined) return; // an unknown path operator: no line is better than a wrong one
    const end = index + count;
    const point = () => apply(matrix, path[end - 1] ?? 0, path[end] ?? 0);
    if (piece === MOVE) {
      at = point();
      start = at;
    } else if (piece === LINE) lineTo(point());
    else if (piece === CLOSE) lineTo(start);
    else at = point();
    index = end + 1;
  }
}

function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Applies `inner` first, then `outer`. */
function product(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [x, y] = apply(outer, e, f);
  return [
    outer[0] * a + outer[2] * b,
    outer[1] * a + outer[3] * b,
    outer[0] * c + outer[2] * d,
    outer[1] * c + outer[3] * d,
    x,
    y,
  ];
}

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
