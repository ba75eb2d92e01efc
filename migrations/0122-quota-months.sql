-- kind: expand
-- The ledger of past months, summed by account, once the records of its jobs are deleted.
create table quota_months (
  account_id   uuid not null references accounts(id),
  period       text not null check (period ~ '^\d{4}-\d{2}$'),
  jobs         bigint not null,
  billed_rows  bigint not null,
  primary key (account_id, period)
);
