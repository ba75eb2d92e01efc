import type { Condition, ShowIf } from '../package/layout-schema.ts';
import { cellText } from './resolve-value.ts';
import type { RowCells } from './row-cells.ts';

/** Compiles a show-if. Comparisons use the trimmed text and are case-sensitive. A hidden overlay counts as applied. */
export function compileShowIf(showIf: ShowIf | undefined): (cells: RowCells) => boolean {
  if (showIf === undefined) return () => true;
  if ('all' in showIf) {
    const tests = showIf.all.map(compileCondition);
    return (cells) => tests.every((test) => test(cells));
  }
  if ('any' in showIf) {
    const tests = showIf.any.map(compileCondition);
    return (cells) => tests.some((test) => test(cells));
  }
  return compileCondition(showIf);
}

function compileCondition(condition: Condition): (cells: RowCells) => boolean {
  const { column } = condition;
  const read = (cells: RowCells) => cellText(cells, column).trim();
  if (condition.blank !== undefined) {
    const { blank } = condition;
    return (cells) => (read(cells) === '') === blank;
  }
  const wanted = [condition.equals ?? condition.not_equals ?? condition.in ?? condition.not_in ?? []].flat();
  const accepted = new Set(wanted.map((text) => text.trim()));
  const negated = condition.not_equals !== undefined || condition.not_in !== undefined;
  return (cells) => accepted.has(read(cells)) !== negated;
}
