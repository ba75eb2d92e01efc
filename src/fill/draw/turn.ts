/**
 * Sine and cosine in degrees, computed with additions and multiplications only: the last digit of Math.sin may differ between
 * engines, and a row's bytes must not. Multiples of 90 are exact. The Taylor polynomial is used on 0–45 degrees only, where
 * the error of eight terms is below 1e-15. Results are quantised to 1/100,000 later.
 */
export interface Turn {
  readonly sin: number;
  readonly cos: number;
}

const RADIANS_PER_DEGREE = 0.017453292519943295;

export function turnOf(degrees: number): Turn {
  const turned = ((degrees % 360) + 360) % 360;
  const quarter = Math.floor(turned / 90);
  const rest = turned - quarter * 90;
  const sin = rest <= 45 ? sine(rest) : cosine(90 - rest);
  const cos = rest <= 45 ? cosine(rest) : sine(90 - rest);
  if (quarter === 1) return { sin: cos, cos: -sin };
  if (quarter === 2) return { sin: -sin, cos: -cos };
  if (quarter === 3) return { sin: -cos, cos: sin };
  return { sin, cos };
}

function sine(degrees: number): number {
  const x = degrees * RADIANS_PER_DEGREE;
  const square = x * x;
  let term = x;
  let sum = x;
  for (let n = 2; n <= 16; n += 2) {
    term = (-term * square) / (n * (n + 1));
    sum += term;
  }
  return sum;
}

function cosine(degrees: number): number {
  const x = degrees * RADIANS_PER_DEGREE;
  const square = x * x;
  let term = 1;
  let sum = 1;
  for (let n = 1; n <= 15; n += 2) {
    term = (-term * square) / (n * (n + 1));
    sum += term;
  }
  return sum;
}
