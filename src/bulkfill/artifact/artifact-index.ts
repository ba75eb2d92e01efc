import type { ZipRow } from '#fill/zip/zip-plan.ts';

/** The index of an artifact: its ZIP rows and the input row of each. */
export interface ArtifactIndex {
  readonly rows: readonly ZipRow[];
  readonly rowNumbers: readonly number[];
}

export function encodeIndex(rows: readonly ZipRow[], rowNumbers: readonly number[]): Buffer {
  const columns = {
    name: rows.map((row) => row.name),
    tailLength: rows.map((row) => row.tailLength),
    crc32: rows.map((row) => row.crc32),
    rowNumber: rowNumbers,
    ...(rows.some(({ gap }) => gap !== undefined) && { gap: rows.map(({ gap = 0 }) => gap) }),
  };
  return Buffer.from(JSON.stringify(columns));
}

export function decodeIndex(bytes: Buffer): ArtifactIndex {
  const columns = JSON.parse(bytes.toString()) as {
    name: string[];
    tailLength: number[];
    crc32: number[];
    rowNumber: number[];
    gap?: number[];
  };
  const rows = columns.name.map((name, i) => ({
    name,
    tailLength: columns.tailLength[i] ?? 0,
    crc32: columns.crc32[i] ?? 0,
    ...(columns.gap !== undefined && { gap: columns.gap[i] ?? 0 }),
  }));
  return { rows, rowNumbers: columns.rowNumber };
}
