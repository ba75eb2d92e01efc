/**
 * Templates: literal text with `{{column_N}}` placeholders (spaces inside the braces are allowed). Any other use
 * of `{{` or `}}` is refused when the layout is parsed, so that a typo never reaches a printed page. A single brace is
 * ordinary text. A blank column becomes an empty text.
 */
export type TemplatePart = { readonly text: string } | { readonly column: string };
export type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly at: number };

const PLACEHOLDER = /\{\{[ \t]*(column_(?:0|[1-9][0-9]{0,3}))[ \t]*\}\}/y;

export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let from = 0;
  while (from < template.length) {
    const open = template.indexOf('{{', from);
    const literal = open < 0 ? template.slice(from) : template.slice(from, open);
    const stray = literal.indexOf('}}');
    if (stray >= 0) return { ok: false, at: from + stray };
    if (literal !== '') parts.push({ text: literal });
    if (open < 0) break;
    PLACEHOLDER.lastIndex = open;
    const match = PLACEHOLDER.exec(template);
    if (match?.[1] === undefined) return { ok: false, at: open };
    parts.push({ column: match[1] });
    from = open + match[0].length;
  }
  return { ok: true, parts };
}
