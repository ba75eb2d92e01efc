import type pg from 'pg';
import { DATABASE, SERVER_ROLE, SUPERUSER } from './database-roles.ts';

/**
 * Makes the server's role the owner of everything that the superuser owns in the database, in one transaction. REASSIGN
 * OWNED does not work for the first role of a cluster, because that role owns the system objects.
 */
export async function handOver(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query(HAND_OVER);
  await client.query(`alter database ${DATABASE} owner to ${SERVER_ROLE}`);
  await client.query('commit');
}

const OURS = `nspname !~ '^pg_' and nspname <> 'information_schema'`;
const OLD_OWNER = `'${SUPERUSER}'::regrole`;

/** Tables first: their indexes, row types and column sequences follow them. */
const HAND_OVER = `
do $$
declare statement text;
begin
  for statement in
    select format('alter schema %I owner to ${SERVER_ROLE}', nspname)
    from pg_namespace where ${OURS} and nspowner = ${OLD_OWNER}
  loop execute statement; end loop;

  for statement in
    select format('alter %s %s owner to ${SERVER_ROLE}',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
      c.oid::regclass)
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where ${OURS} and relowner = ${OLD_OWNER} and relkind in ('r', 'p', 'v', 'm', 'f')
  loop execute statement; end loop;

  for statement in
    select format('alter sequence %s owner to ${SERVER_ROLE}', c.oid::regclass)
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where ${OURS} and relowner = ${OLD_OWNER} and relkind = 'S'
  loop execute statement; end loop;

  for statement in
    select format('alter routine %s owner to ${SERVER_ROLE}', p.oid::regprocedure)
    from pg_proc p join pg_namespace n on n.oid = pronamespace
    where ${OURS} and proowner = ${OLD_OWNER}
  loop execute statement; end loop;

  for statement in
    select format('alter %s %s owner to ${SERVER_ROLE}',
      case typtype when 'd' then 'domain' else 'type' end, t.oid::regtype)
    from pg_type t join pg_namespace n on n.oid = typnamespace
    where ${OURS} and typowner = ${OLD_OWNER} and typtype in ('e', 'd', 'c', 'r') and typcategory <> 'A'
      and (typrelid = 0 or exists (select from pg_class where oid = typrelid and relkind = 'c'))
  loop execute statement; end loop;
end $$`;
