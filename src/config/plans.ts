import { BadValue } from './bad-value.ts';

/** The limits of an account. `null` means unlimited. */
export interface Plan {
  readonly rowsPerMonth: number | null;
  readonly maxPdfBytes: number | null;
  /** Inputs, outputs and uploads that the account may store at the same time. */
  readonly maxStoredBytes: number | null;
}

const builtInPlans = '{"free":{"rows_per_month":100,"max_pdf_bytes":20000000},"unlimited":{}}';

export function parsePlans(value: string): ReadonlyMap<string, Plan> {
  const found = new Map<string, Plan>();
  for (const source of [builtInPlans, value]) {
    let json: unknown;
    try {
      json = JSON.parse(source);
    } catch {
      throw new BadValue('must be JSON, e.g. {"team":{"rows_per_month":5000,"max_pdf_bytes":50000000}}');
    }
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new BadValue('must be a JSON object of plans');
    for (const [plan, limits] of Object.entries(json)) found.set(plan, parsePlan(plan, limits));
  }
  return found;
}

function parsePlan(plan: string, limits: unknown): Plan {
  if (typeof limits !== 'object' || limits === null) throw new BadValue(`: plan "${plan}" must be an object`);
  const {
    rows_per_month: rows,
    max_pdf_bytes: pdf,
    max_stored_bytes: stored,
    ...unknown
  } = limits as Record<string, unknown>;
  const extra = Object.keys(unknown)[0];
  if (extra !== undefined) throw new BadValue(`: plan "${plan}" has an unknown member "${extra}"`);
  const limit = (member: string, n: unknown) => {
    if (n === undefined || n === null) return null;
    if (typeof n !== 'number' || !Number.isSafeInteger(n) || n < 0)
      throw new BadValue(`: plan "${plan}": ${member} must be an integer from 0`);
    return n;
  };
  return {
    rowsPerMonth: limit('rows_per_month', rows),
    maxPdfBytes: limit('max_pdf_bytes', pdf),
    maxStoredBytes: limit('max_stored_bytes', stored),
  };
}
