import { z } from 'zod';
import { LAYOUT_FORMAT, LAYOUT_VERSION, type Layout, layoutSchema } from './layout-schema.ts';

/** The codes with which a package or a bare layout can be refused. */
export type PackageRefusalCode =
  | 'PACKAGE_TOO_LARGE'
  | 'PACKAGE_MALFORMED'
  | 'PACKAGE_TAMPERED'
  | 'PACKAGE_UNSUPPORTED'
  | 'PACKAGE_INVALID';

export interface PackageRefusal {
  readonly ok: false;
  readonly code: PackageRefusalCode;
  readonly message: string;
}

export type ParsedLayout = { readonly ok: true; readonly layout: Layout } | PackageRefusal;

const MAX_LAYOUT_BYTES = 4_000_000;
/**
 * The schema visits every item of an array before it checks the array's length: 1.3 million empty objects in 4 MB took it 2 s.
 * The largest layout of real overlays, columns and form fields that fits 4 MB has about 300,000 values.
 */
const MAX_LAYOUT_VALUES = 400_000;
const SHOWN_ISSUES = 5;

/** Parses `layout.json` (bytes or text): JSON of a known version that satisfies the schema. Fills in defaults. */
export function parseLayout(input: Uint8Array | string): ParsedLayout {
  const read = readLayoutJson(input);
  if (!read.ok) return read;
  const parsed = layoutSchema.safeParse(read.value);
  return parsed.success
    ? { ok: true, layout: parsed.data }
    : refusal('PACKAGE_INVALID', `The layout is invalid: ${describeIssues(parsed.error)}`);
}

/** Reads everything the schema does not: size, JSON, number of values, format and version. */
export function readLayoutJson(
  input: Uint8Array | string,
): { readonly ok: true; readonly value: unknown } | PackageRefusal {
  if (input.length > MAX_LAYOUT_BYTES) {
    return refusal('PACKAGE_INVALID', `The layout is larger than ${MAX_LAYOUT_BYTES} bytes.`);
  }
  let value: unknown;
  try {
    const text = typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refusal('PACKAGE_MALFORMED', `The layout is not valid JSON: ${why}`);
  }
  if (hasMoreValues(value, MAX_LAYOUT_VALUES))
    return refusal('PACKAGE_INVALID', `The layout has more than ${MAX_LAYOUT_VALUES} values.`);
  const head = z.looseObject({ format: z.unknown(), version: z.unknown() }).safeParse(value);
  if (!head.success || head.data.format !== LAYOUT_FORMAT) {
    return refusal(
      'PACKAGE_INVALID',
      `The layout does not say "format": "${LAYOUT_FORMAT}"; it says ${shown(head.data?.format)}.`,
    );
  }
  if (head.data.version !== LAYOUT_VERSION) {
    return refusal(
      'PACKAGE_UNSUPPORTED',
      `The layout is of version ${shown(head.data.version)}; this engine knows version ${LAYOUT_VERSION}.`,
    );
  }
  return { ok: true, value };
}

/** Counts members and items at every level with its own stack, and stops at the limit. */
function hasMoreValues(value: unknown, limit: number): boolean {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members = Array.isArray(next) ? next : Object.values(next);
    count += members.length;
    if (count > limit) return true;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return false;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing').slice(0, 60);
}

/** `overlays[0].value: must be …; …`, the first few of them. */
function describeIssues(error: z.ZodError): string {
  const lines = error.issues.slice(0, SHOWN_ISSUES).map((issue) => {
    const where = z.core.toDotPath(issue.path);
    return where === '' ? issue.message : `${where}: ${issue.message}`;
  });
  const more = error.issues.length - lines.length;
  return lines.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

export function refusal(code: PackageRefusalCode, message: string): PackageRefusal {
  return { ok: false, code, message };
}
