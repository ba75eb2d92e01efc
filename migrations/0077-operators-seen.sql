-- Sessions are deleted when they end; the operator keeps the time of the last request.
alter table operators add column last_seen_at timestamptz;
update operators o set last_seen_at = (select max(s.last_seen_at) from operator_sessions s where s.operator_id = o.id);
