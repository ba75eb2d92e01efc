-- kind: expand
-- True for a billed job of a plan without a limit: its rows are in the ledger only, not in `quota_balances`.
alter table quota_ledger add column beside_balance boolean;
