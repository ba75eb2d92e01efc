import { parseMarkup, type StyledPart } from '#fill/package/markup.ts';
import type { MemberProblem } from '../overlay-kind.ts';
import type { TextOverlay } from './schema.ts';

type Marked = Pick<TextOverlay, 'value' | 'bold' | 'italic'>;

/** The parts of an overlay with markup. Marks add to the style of the overlay. */
export function styledParts({ value, bold, italic }: Marked): StyledPart[] {
  return parseMarkup(value).parts.map((part) => ({
    ...part,
    style: { ...part.style, bold: part.style.bold || bold, italic: part.style.italic || italic },
  }));
}

/** Whether the text of the overlay is read as markup. A comb has one style. */
export const isMarked = ({ markup, comb }: Pick<TextOverlay, 'markup' | 'comb'>): boolean =>
  markup === true && comb === undefined;

/** A mistake in the markup of an overlay: every row would show it. */
export function markupProblem({ markup, value, comb }: TextOverlay): MemberProblem | undefined {
  if (!markup) return undefined;
  if (comb !== undefined) return { member: 'markup', message: 'markup has no effect on a text of cells' };
  if ('column' in value)
    return {
      member: 'markup',
      message: 'markup has no effect on a column, because values of rows are never markup; use a template',
    };
  const { problem } = parseMarkup(value);
  return problem === undefined ? undefined : { member: 'value', message: problem };
}

/** The faces that the overlay uses: its own, which has the metrics of its lines, and those of its parts. */
export function styledFaces(overlay: Marked & Pick<TextOverlay, 'font' | 'markup' | 'comb'>) {
  if (!isMarked(overlay)) return [overlay];
  const { font } = overlay;
  return [overlay, ...styledParts(overlay).map(({ style: { bold, italic } }) => ({ font, bold, italic }))];
}
