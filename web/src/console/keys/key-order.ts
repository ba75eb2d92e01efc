/** The values of the form for a new key. */
export interface KeyForm {
  readonly surface: string;
  readonly account: string;
  readonly name: string;
  /** Empty: the default lifetime of the surface's keys. */
  readonly days: string;
  /** Undefined: the default of the surface. */
  readonly scopes: readonly string[] | undefined;
  readonly partner: string;
  /** Separated by commas; empty: all. */
  readonly warehouses: string;
  /** Separated by commas; empty: from anywhere. */
  readonly ipRanges: string;
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function keyOrder(form: KeyForm, partnered: boolean): Record<string, unknown> {
  const warehouses = listOf(form.warehouses);
  const ip_ranges = listOf(form.ipRanges);
  return {
    surface: form.surface,
    account: form.account,
    ...(form.name.trim() !== '' && { name: form.name.trim() }),
    ...(form.days !== '' && { days: Number(form.days) }),
    ...(form.scopes !== undefined && { scopes: form.scopes }),
    ...(partnered && form.partner.trim() !== '' && { partner: form.partner.trim() }),
    ...(partnered && warehouses.length > 0 && { warehouses }),
    ...(ip_ranges.length > 0 && { ip_ranges }),
  };
}
