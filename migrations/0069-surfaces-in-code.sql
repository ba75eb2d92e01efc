-- The code lists the surfaces and the schemes of their webhooks (src/main/surfaces.ts) and checks a name before it writes it.
-- The database does not repeat the lists, so a new surface needs no migration.
alter table api_keys drop constraint api_keys_surface_check;
alter table webhook_deliveries drop constraint webhook_deliveries_scheme_check;
