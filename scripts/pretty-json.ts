const WIDTH = 120;
/** Deeper values are never written on one line. */
const MAX_DEPTH = 3;

/** JSON with two spaces of indentation, in which a shallow array or object is written on one line if it fits. */
export function prettyJson(value: unknown): string {
  return `${layOut(value, '', 0)}\n`;
}

function layOut(value: unknown, indent: string, column: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = oneLine(value);
  if (depthOf(value) <= MAX_DEPTH && column + line.length < WIDTH) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const parts = value.map((part) => inner + layOut(part, inner, inner.length));
    return `[\n${parts.join(',\n')}\n${indent}]`;
  }
  const parts = Object.entries(value).map(([name, part]) => {
    const start = `${inner}${JSON.stringify(name)}: `;
    return start + layOut(part, inner, start.length);
  });
  return `{\n${parts.join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${oneLine(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
