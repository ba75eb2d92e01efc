import { type Matrix, product } from '../geometry/matrix.ts';

/** A page as pdf.js gives it: its operator list, and the map from its user space to the displayed page in points. */
export interface PageOperators {
  readonly operators: readonly number[];
  readonly operands: readonly unknown[];
  readonly toPage: Matrix;
}

/** The operators that change the current matrix, by their pdf.js numbers. */
export interface MatrixOperators {
  readonly save: number;
  readonly restore: number;
  readonly transform: number;
  readonly paintFormXObjectBegin: number;
  readonly paintFormXObjectEnd: number;
}

export interface OperatorVisitor {
  /** Every operator that is not handled here, with the matrix in effect. */
  operator(operator: number, operands: readonly unknown[], matrix: Matrix): void;
  /** The graphics state is pushed or popped (ISO 32000-2 §8.4.2). */
  save?(): void;
  restore?(): void;
}

/** Walks an operator list and keeps the current matrix. Form XObjects are entered with their own matrix. */
export function walkOperators(
  { operators, operands, toPage }: PageOperators,
  numbers: MatrixOperators,
  visitor: OperatorVisitor,
): void {
  let current = toPage;
  const stack: Matrix[] = [];
  operators.forEach((operator, index) => {
    const given = (operands[index] ?? []) as readonly unknown[];
    if (operator === numbers.save) {
      stack.push(current);
      visitor.save?.();
    } else if (operator === numbers.restore || operator === numbers.paintFormXObjectEnd) {
      current = stack.pop() ?? toPage;
      visitor.restore?.();
    } else if (operator === numbers.transform && given.length > 0) {
      current = product(current, given as unknown as Matrix);
    } else if (operator === numbers.paintFormXObjectBegin) {
      stack.push(current);
      visitor.save?.();
      const matrix = given[0];
      if (isMatrix(matrix)) current = product(current, matrix);
    } else visitor.operator(operator, given, current);
  });
}

/** pdf.js gives a matrix as an array or as a Float32Array. */
export function isMatrix(value: unknown): value is Matrix {
  return (Array.isArray(value) || value instanceof Float32Array) && value.length === 6;
}

/** The path of a constructPath operator; undefined if it has none. */
export function pathOf(operands: readonly unknown[]): Float32Array | undefined {
  const path = (operands[1] as readonly unknown[] | undefined)?.[0];
  return path instanceof Float32Array ? path : undefined;
}
