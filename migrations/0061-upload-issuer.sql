-- The key that created an upload link, or `operator:` and the id of an operator; the link ends with it. Null: created
-- before this column existed.
alter table subscriber_uploads add column issued_by text;
