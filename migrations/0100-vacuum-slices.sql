-- kind: expand
-- By default a table is vacuumed and analyzed once a fifth of it has changed, which for millions of rows is too rare (docs/decisions/0199-growing-tables.md).
alter table slices set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
