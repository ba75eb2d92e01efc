import type { ValueSource } from '#fill/package/layout-schema.ts';
import type { CodeItem, Color, Frame } from '../display-list.ts';
import type { Skip } from '../place-overlay.ts';
import type { ModuleGrid } from './module-grid.ts';

/** Number of cached codes per overlay: static values always hit, and lot numbers repeat. */
const MEMO_CODES = 64;

export type EncodeCode = (value: string) => ModuleGrid | { readonly invalid: string };

export function memoised(encode: EncodeCode): EncodeCode {
  const memo = new Map<string, ReturnType<EncodeCode>>();
  return (value) => {
    let result = memo.get(value);
    if (result === undefined) {
      result = encode(value);
      if (memo.size >= MEMO_CODES) memo.clear();
      memo.set(value, result);
    }
    return result;
  };
}

/** A bad static value is an error of the layout, a bad mapped one an error of the row. Their codes differ. */
export function invalidCode(source: ValueSource, reason: string): Skip {
  return 'static' in source
    ? { code: 'CODE_STATIC_INVALID', message: `The layout's own value cannot be encoded: ${reason}` }
    : { code: 'CODE_VALUE_INVALID', message: `The value cannot be encoded: ${reason}` };
}

export function blankCode(source: ValueSource): Skip {
  return 'static' in source
    ? { code: 'CODE_STATIC_INVALID', message: "The layout's own value is blank." }
    : { code: 'CODE_VALUE_BLANK', message: 'The value is blank.' };
}

/** Centres the largest background with the symbol's proportions; modules are at most `largest` points. Bars fill their box. */
export function codeItem(
  overlayId: string,
  frame: Frame,
  color: Color,
  grid: ModuleGrid,
  largest = Number.POSITIVE_INFINITY,
): CodeItem {
  let { width, height } = frame;
  if (grid.extent !== undefined) {
    width = grid.extent;
    height = grid.extent;
  } else if (grid.square) {
    const module = Math.min(width / grid.width, height / grid.height, largest);
    width = module * grid.width;
    height = module * grid.height;
  }
  const ground = { x: (frame.width - width) / 2, y: (frame.height - height) / 2, width, height };
  return { kind: 'code', overlayId, frame, color, grid, ground };
}
