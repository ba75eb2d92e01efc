-- kind: expand
-- The name of the operator who saved the version; null if a key did.
alter table project_versions add column saved_by text;
