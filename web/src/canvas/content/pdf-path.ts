/** Converts path operators of PDF content (ISO 32000-2 §8.5.2), as the engine's marks and symbols use, to SVG path data. */
const OPERANDS: Readonly<Record<string, number>> = { m: 2, l: 2, c: 6, h: 0, re: 4 };
const SVG: Readonly<Record<string, string>> = { m: 'M', l: 'L', c: 'C', h: 'Z' };

export interface PaintedPath {
  readonly d: string;
  readonly color: string | null;
}

/** One entry per fill; `color` is null if the content sets none. */
export function pdfPaths(content: string): PaintedPath[] {
  const painted: PaintedPath[] = [];
  let numbers: number[] = [];
  let d = '';
  let color: string | null = null;
  let [dx, dy] = [0, 0];
  for (const token of content.split(/\s+/)) {
    const number = Number(token);
    if (token !== '' && Number.isFinite(number)) {
      numbers.push(number);
      continue;
    }
    const count = OPERANDS[token];
    if (count !== undefined) {
      const given = count === 0 ? [] : numbers.slice(-count);
      const [x = 0, y = 0, width = 0, height = 0] = given;
      d +=
        token === 're'
          ? `M${x + dx} ${y + dy}h${width}v${height}h${-width}Z`
          : `${SVG[token]}${given.map((part, at) => part + (at % 2 === 0 ? dx : dy)).join(' ')}`;
    } else if (token === 'cm') {
      // The engine's symbols are translated by their quiet zone and not transformed otherwise.
      [dx = 0, dy = 0] = numbers.slice(-2);
    } else if (token === 'Q') {
      color = null;
    } else if (token === 'rg' || token === 'g') color = cssColor(numbers);
    else if (token === 'f' || token === 'f*') {
      painted.push({ d, color });
      d = '';
    }
    numbers = [];
  }
  return d === '' ? painted : [...painted, { d, color }];
}

function cssColor(parts: readonly number[]): string {
  const [r = 0, g = r, b = r] = parts.slice(-3).map((part) => Math.round(part * 255));
  return `rgb(${r} ${g} ${b})`;
}
