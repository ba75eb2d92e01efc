/** Results are read by language models, for which each character costs time and money. */
const MAX_TEXT_CHARS = 400;

export function cutText(text: string, max = MAX_TEXT_CHARS): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
