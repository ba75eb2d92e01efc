-- Turns the audit log into a chain: every entry has the SHA-256 of its content, which includes the hash of the previous
-- entry (docs/decisions/0124-audit-chain.md). Names are copied into the entry, so that the hash covers them too.

alter table operator_actions
  add column seq            bigint,
  add column operator_name  text,
  add column account_name   text,
  add column hash           bytea check (length(hash) = 32);

-- 'head': the last entry. 'checkpoint': the last entry that retention deleted. Neither exists before it is needed.
create table audit_marks (
  kind  text primary key check (kind in ('head', 'checkpoint')),
  seq   bigint not null,
  hash  bytea not null check (length(hash) = 32)
);

-- RFC 8785 for stored values: keys are ASCII, and JSON.stringify has already written the scalars.
create function pg_temp.canonical(given json) returns text language plpgsql as $$
begin
  return case json_typeof(given)
    when 'object' then
      (select '{' || coalesce(string_agg(to_json(m.key)::text || ':' || pg_temp.canonical(m.value), ','
                                         order by m.key collate "C"), '') || '}' from json_each(given) m)
    when 'array' then
      (select '[' || coalesce(string_agg(pg_temp.canonical(i.value), ',' order by i.place), '') || ']'
       from json_array_elements(given) with ordinality i (value, place))
    else given::text
  end;
end $$;

-- Existing entries are chained in the order in which they were listed.
do $$
declare
  entry record;
  number bigint := 0;
  previous text := repeat('0', 64);
begin
  for entry in
    select a.*, o.name as operator, c.name as account
    from operator_actions a join operators o on o.id = a.operator_id left join accounts c on c.id = a.account_id
    order by a.id
  loop
    number := number + 1;
    previous := encode(sha256(convert_to(
      '{"account":' || case when entry.account_id is null then 'null'
                       else '{"id":"' || entry.account_id || '","name":' || to_json(entry.account)::text || '}' end
      || ',"action":' || to_json(entry.action)::text
      || ',"at":"' || to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","details":' || case when entry.details is null then 'null' else pg_temp.canonical(entry.details) end
      || ',"id":"' || entry.id
      || '","operator":{"id":"' || entry.operator_id || '","name":' || to_json(entry.operator)::text
      || '},"previous_hash":"' || previous
      || '","request_id":' || to_json(entry.request_id)::text
      || ',"seq":' || number
      || ',"target":' || coalesce(to_json(entry.target)::text, 'null') || '}', 'UTF8')), 'hex');
    update operator_actions
    set seq = number, operator_name = entry.operator, account_name = entry.account, hash = decode(previous, 'hex')
    where id = entry.id;
  end loop;
  if number > 0 then
    insert into audit_marks (kind, seq, hash) values ('head', number, decode(previous, 'hex'));
  end if;
end $$;

drop function pg_temp.canonical(json);

alter table operator_actions
  alter column seq set not null,
  alter column operator_name set not null,
  alter column hash set not null,
  add constraint operator_actions_seq unique (seq);
