import type { ModuleGrid } from './module-grid.ts';
import type { QuietZone } from './quiet-zone.ts';

/**
 * Records the drawing calls of bwip-js (its drawing-context interface) as path operators, for symbols that are not a matrix of
 * squares. Coordinates are modules, y down, printed from thousandths like all others.
 */
export class SymbolRecorder {
  width = 0;
  height = 0;
  operators = '';
  shapes = 0;
  #path = '';
  #color = '000000';

  scale(): null {
    return null;
  }

  measure(): { width: number; ascent: number; descent: number } {
    return { width: 0, ascent: 0, descent: 0 };
  }

  init(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  polygon(points: readonly (readonly [number, number])[]): void {
    points.forEach(([x, y], index) => {
      this.#path += `${print(x)} ${print(y)} ${index === 0 ? 'm' : 'l'}\n`;
    });
    this.#path += 'h\n';
    this.shapes += 1;
  }

  hexagon(points: readonly (readonly [number, number])[]): void {
    this.polygon(points);
  }

  /** Four Bézier curves; 0.5523 is 4/3 (√2 − 1). */
  ellipse(x: number, y: number, rx: number, ry: number): void {
    const dx = rx * 0.5523;
    const dy = ry * 0.5523;
    const curve = (...numbers: number[]) => {
      this.#path += `${numbers.map(print).join(' ')} c\n`;
    };
    this.#path += `${print(x - rx)} ${print(y)} m\n`;
    curve(x - rx, y - dy, x - dx, y - ry, x, y - ry);
    curve(x + dx, y - ry, x + rx, y - dy, x + rx, y);
    curve(x + rx, y + dy, x + dx, y + ry, x, y + ry);
    curve(x - dx, y + ry, x - rx, y + dy, x - rx, y);
    this.#path += 'h\n';
    this.shapes += 1;
  }

  line(x0: number, y0: number, x1: number, y1: number, lineWidth: number): void {
    const half = lineWidth / 2;
    if (x0 === x1) this.#rectangle(x0 - half, Math.min(y0, y1), lineWidth, Math.abs(y1 - y0));
    else this.#rectangle(Math.min(x0, x1), y0 - half, Math.abs(x1 - x0), lineWidth);
  }

  /** Only symbols with their own colours (Ultracode) use one other than black. */
  fill(rgb: string): void {
    if (this.#path === '') return;
    if (rgb !== this.#color) {
      const value = Number.parseInt(rgb, 16);
      const parts = [value >> 16, (value >> 8) & 0xff, value & 0xff].map((part) => print(part / 255));
      this.operators += `${parts.join(' ')} rg\n`;
      this.#color = rgb;
    }
    this.operators += `${this.#path}f*\n`;
    this.#path = '';
  }

  clip(): void {}
  unclip(): void {}
  text(): void {}

  end(): true {
    this.fill(this.#color);
    return true;
  }

  #rectangle(x: number, y: number, width: number, height: number): void {
    this.#path += `${print(x)} ${print(y)} ${print(width)} ${print(height)} re\n`;
    this.shapes += 1;
  }
}

/** `columns` is the width of the symbol in modules. */
export function paintedGrid(
  recorder: SymbolRecorder,
  quiet: QuietZone,
  columns: number,
): ModuleGrid | { readonly invalid: string } {
  if (recorder.shapes === 0 || recorder.width <= 0 || recorder.height <= 0) {
    return { invalid: 'the encoder draws nothing for it.' };
  }
  const module = recorder.width / columns;
  const [x, y] = [quiet.x * module, quiet.y * module];
  return {
    width: recorder.width + 2 * x,
    height: recorder.height + 2 * y,
    rectangles: [],
    painting: `1 0 0 1 ${print(x)} ${print(y)} cm\n${recorder.operators}`,
    square: true,
    module,
    modules: recorder.shapes,
  };
}

function print(value: number): string {
  return (Math.round(value * 1000) / 1000).toString();
}
