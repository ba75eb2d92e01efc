/**
 * Every place in the database that holds values sealed with the installation secret. A rotation seals each of
 * them again, so a new place must be added here; `sealed-places.test.ts` compares the list with the schema.
 */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  /** Which rows have a sealed value. */
  readonly where: string;
  /** A `bytea` column holds the value itself; a `json` one holds its base64 at this path. */
  readonly jsonPath?: readonly string[];
  /** Which key of the installation secret sealed the value. */
  readonly purpose: 'webhook' | 'data-key';
}

/** A stored response that contains a secret is sealed; this type tells a replay to open it. */
export const SEALED_RESPONSE_TYPE = 'application/vnd.rowpress.sealed+json';

const webhook = { purpose: 'webhook' } as const;

export const sealedPlaces: readonly SealedPlace[] = [
  { ...webhook, table: 'webhook_deliveries', column: 'secrets', where: 'true' },
  { ...webhook, table: 'webhook_subscriptions', column: 'secret', where: 'true' },
  { ...webhook, table: 'webhook_subscriptions', column: 'old_secret', where: 'old_secret is not null' },
  { ...webhook, table: 'ingest_webhooks', column: 'secret', where: 'true' },
  { ...webhook, table: 'ingest_webhooks', column: 'old_secret', where: 'old_secret is not null' },
  {
    ...webhook,
    table: 'request_keys',
    column: 'response_body',
    where: `response_type = '${SEALED_RESPONSE_TYPE}' and response_body is not null`,
  },
  {
    ...webhook,
    table: 'jobs',
    column: 'input',
    where: `kind = 'bulkfill.export' and input #>> '{delivery,secrets}' is not null`,
    jsonPath: ['delivery', 'secrets'],
  },
];
