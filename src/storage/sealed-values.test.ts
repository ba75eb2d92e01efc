import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { sealedPlaces } from './sealed-values.ts';

/** Bytea columns that are not sealed with the installation secret. */
const NOT_SEALED = [
  'api_keys.secret_hash', // hash of a random secret
  'request_keys.body_digest',
  'jobs.work_digest',
  'prepared_bases.key', // digest
  'events.body', // sent to receivers
  'subscriber_uploads.token_hash',
  'subscriber_imports.superseded',
  'ingest_certificates.thumbprint',
  'ingest_slice_results.results',
  'sign_in_links.token_hash',
  'operator_sessions.token_hash',
  'oidc_attempts.token_hash',
  'slice_problems.problems',
  'operator_actions.hash',
  'audit_marks.hash',
  'passkeys.credential_id',
  'passkeys.public_key', // the private key stays on the device
  'passkey_challenges.challenge_hash',
  'verify_ids.id', // printed on documents
];

test('[SEC9] every bytea column: resealed by a rotation, or listed as not sealed', async () => {
  const { db } = await openTestDatabase();
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by 1`.execute(db);
  const sealed = sealedPlaces
    .filter(({ jsonPath }) => jsonPath === undefined)
    .map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name)).toEqual([...NOT_SEALED, ...sealed].sort());
});
