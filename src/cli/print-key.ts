import type { NewKey } from '#storage/keys/api-keys.ts';
import { printJson, tell } from './answer.ts';

/** A newly created key; it cannot be shown again. */
export interface ShownKey {
  readonly key: string;
  readonly account: string;
  readonly record: Omit<NewKey, 'secretHash'>;
}

/** Prints a new key: with `--json` as an object that includes `further`, otherwise only the key on standard output. */
export function printKey({ key, account, record }: ShownKey, json: boolean, further: object = {}): void {
  if (json) {
    printJson({
      key,
      id: record.id,
      account,
      surface: record.surface,
      name: record.name,
      scopes: record.scopes,
      partner: record.partnerId,
      warehouses: record.warehouses,
      ip_ranges: record.ipRanges,
      created_at: record.createdAt,
      expires_at: record.expiresAt,
      ...further,
    });
    return;
  }
  const until = record.expiresAt === null ? 'never expires' : `expires ${record.expiresAt.toISOString()}`;
  tell(`Key ${record.id} of account "${account}" (${record.surface}, ${until}). It is shown only once:`);
  process.stdout.write(`${key}\n`);
}
