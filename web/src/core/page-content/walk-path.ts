import { apply, type Matrix } from '../geometry/matrix.ts';

/** pdf.js encodes a path as one list: 0 x y (move), 1 x y (line), 2 and six numbers (curve), 3 and four, 4 (close). */
const PATH_OPERANDS = [2, 2, 6, 4, 0] as const;
const MOVE = 0;
const LINE = 1;
const CLOSE = 4;

type Point = readonly [x: number, y: number];

/** Receives the pieces of a path in page coordinates. */
export interface PathVisitor {
  /** A new subpath starts. */
  move(at: Point): void;
  /** A straight piece; `closing` if it returns to the start of its subpath. */
  line(from: Point, to: Point, closing: boolean): void;
  curve?(from: Point, to: Point): void;
}

export function walkPath(path: Float32Array, matrix: Matrix, visitor: PathVisitor): void {
  let at: Point = [0, 0];
  let start = at;
  let index = 0;
  while (index < path.length) {
    const piece = path[index] ?? CLOSE;
    const count = PATH_OPERANDS[piece as keyof typeof PATH_OPERANDS & number];
    if (count === undefined) return; // an unknown path operator: no line is better than a wrong one
    const end = index + count;
    const next = piece === CLOSE ? start : apply(matrix, path[end - 1] ?? 0, path[end] ?? 0);
    if (piece === MOVE) {
      start = next;
      visitor.move(next);
    } else if (piece === LINE || piece === CLOSE) visitor.line(at, next, piece === CLOSE);
    else visitor.curve?.(at, next);
    at = next;
    index = end + 1;
  }
}
