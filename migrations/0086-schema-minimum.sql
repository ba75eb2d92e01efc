-- kind: expand
-- The oldest schema version (newest migration that a release contains) that may run on this database. Migrations that declare a minimum
-- in their header raise it. It starts at 0070: older releases read slices of imports in another shape. Exports omit it.
create table schema_minimum (
  only_row  boolean primary key default true check (only_row),
  version   text not null
);
insert into schema_minimum (version) values ('0070-import-slices');
