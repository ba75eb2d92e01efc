import type { SourceFormField } from '#fill/package/layout-schema.ts';

const SHOWN = 20;

/** Describes the values that a cell of this field may have: `one of "red", "green"`. Empty if any text is valid. */
export function choicesOf({ type, options = [] }: SourceFormField): string {
  if (options.length === 0) return '';
  const shown = options
    .slice(0, SHOWN)
    .map(({ value, label }) => `"${value}"${label === value ? '' : ` (${label})`}`);
  const more = options.length > SHOWN ? ` and ${options.length - SHOWN} more` : '';
  if (type === 'checkbox' && options.length === 1) return `ticked by ${shown.join('')}, yes or no`;
  return `one of ${shown.join(', ')}${more}`;
}
