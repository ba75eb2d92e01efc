-- kind: expand, outside a transaction
-- The console lists deliveries that were given up. They are few, and without an index their page reads all deliveries.
create index concurrently if not exists webhook_deliveries_exhausted on webhook_deliveries (id) where state = 'exhausted';
