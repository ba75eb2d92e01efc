import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Returns the partner's number. The first request of a partner creates it. */
export async function findOrCreatePartner(
  db: Db,
  accountId: string,
  partnerId: string,
  now: Date,
): Promise<number> {
  const found = await findPartner(db, accountId, partnerId);
  if (found !== undefined) return found;
  await sql`
    insert into ingest_partners (account_id, partner_id, created_at) values (${accountId}, ${partnerId}, ${now})
    on conflict do nothing`.execute(db);
  const made = await findPartner(db, accountId, partnerId);
  if (made === undefined) throw new Error('bug: the partner does not exist after its insert');
  return made;
}

export async function findPartner(db: Db, accountId: string, partnerId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('ingest_partners')
    .select('no')
    .where('account_id', '=', accountId)
    .where('partner_id', '=', partnerId)
    .executeTakeFirst();
  return row?.no;
}

export interface CertificateHolder {
  readonly account_id: string;
  readonly account_name: string;
  readonly account_active: boolean;
  readonly plan: string;
  readonly partner_id: string;
  readonly warehouses: string[] | null;
}

/** Finds the partner of a client certificate. Returns undefined if the certificate is unknown or revoked. */
export async function findCertificateHolder(
  db: Db,
  thumbprint: Buffer,
): Promise<CertificateHolder | undefined> {
  const { rows } = await sql<CertificateHolder>`
    select a.id as account_id, a.name as account_name, a.active as account_active, a.plan, p.partner_id, c.warehouses
    from ingest_certificates c join ingest_partners p on p.no = c.partner_no join accounts a on a.id = p.account_id
    where c.thumbprint = ${thumbprint} and c.revoked_at is null`.execute(db);
  return rows[0];
}

/** Returns false, and changes nothing, if the thumbprint is already registered or was revoked. */
export async function insertCertificate(
  db: Db,
  certificate: {
    readonly thumbprint: Buffer;
    readonly partnerNo: number;
    readonly warehouses: readonly string[] | null;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into ingest_certificates (thumbprint, partner_no, warehouses, created_at)
    values (${certificate.thumbprint}, ${certificate.partnerNo}, ${certificate.warehouses}, ${certificate.now})
    on conflict do nothing returning 1`.execute(db);
  return rows.length === 1;
}

export function listCertificates(db: Db, partnerNo: number) {
  return db
    .selectFrom('ingest_certificates')
    .selectAll()
    .where('partner_no', '=', partnerNo)
    .orderBy('created_at')
    .orderBy('thumbprint')
    .execute();
}

export async function revokeCertificate(
  db: Db,
  partnerNo: number,
  thumbprint: Buffer,
  now: Date,
): Promise<'revoked' | 'already' | 'unknown'> {
  const row = await db
    .selectFrom('ingest_certificates')
    .select('revoked_at')
    .where('partner_no', '=', partnerNo)
    .where('thumbprint', '=', thumbprint)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return 'unknown';
  if (row.revoked_at !== null) return 'already';
  await db
    .updateTable('ingest_certificates')
    .set({ revoked_at: now })
    .where('thumbprint', '=', thumbprint)
    .execute();
  return 'revoked';
}
