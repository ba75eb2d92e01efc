-- kind: expand, outside a transaction
create index concurrently if not exists quota_ledger_beside_balance on quota_ledger (account_id, period) include (billed_rows)
  where beside_balance;
