-- Which key made an upload link, or `operator:` and the id of an operator: the link ends with it. Null: made before this column.
alter table subscriber_uploads add column issued_by text;
