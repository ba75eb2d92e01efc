import { add, compare, type Decimal, decimalText, divide, multiply, ONE, round, ZERO } from './decimal.ts';
import { readNumber } from './number-style.ts';
import type { Calculation } from './plan-scripts.ts';
import type { Operation } from './read-scripts.ts';

/** Acrobat keeps six decimals of a calculated value. */
const DECIMALS = 6;

/**
 * Returns the value of AFSimple_Calculate as plain decimal text. A blank field counts as 0, even in an average or a
 * product, as in Acrobat. So does a field without a number, for which `unread` is called.
 */
export function calculate(
  { operation, inputs }: Calculation,
  textIn: (field: string) => string,
  unread: (field: string) => void,
): string {
  const numbers = inputs.map(({ field, style }) => {
    const text = textIn(field);
    if (text.trim() === '') return ZERO;
    const number = readNumber(text, style);
    if (number === null) unread(field);
    return number ?? ZERO;
  });
  return decimalText(round(reduce(operation, numbers), DECIMALS));
}

function reduce(operation: Operation, numbers: readonly Decimal[]): Decimal {
  const [first] = numbers;
  if (first === undefined) return operation === 'PRD' ? ONE : ZERO;
  switch (operation) {
    case 'SUM':
      return numbers.reduce(add, ZERO);
    case 'AVG':
      return divide(numbers.reduce(add, ZERO), numbers.length, DECIMALS);
    case 'PRD':
      return numbers.reduce((product, number) => round(multiply(product, number), PRODUCT_DECIMALS), ONE);
    case 'MIN':
      return numbers.reduce((least, number) => (compare(number, least) < 0 ? number : least), first);
    case 'MAX':
      return numbers.reduce((most, number) => (compare(number, most) > 0 ? number : most), first);
  }
}

/** Limits the length of a product of many fields. It has far more decimals than are shown. */
const PRODUCT_DECIMALS = 60;
