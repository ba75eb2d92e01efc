-- The warehouses of the credential of a quarantined item; null: all warehouses. A re-drive accepts the item under this
-- limit, no matter which credential starts it.
alter table ingest_quarantine add column credential_warehouses text[];
