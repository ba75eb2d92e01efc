-- Indexes of the console's search.

-- Prefixes of request ids and request keys: `text_pattern_ops` serves them in every collation, and equality too.
drop index jobs_request_id;
drop index jobs_request_key;
create index jobs_request_id on jobs (request_id text_pattern_ops) where request_id is not null;
create index jobs_request_key on jobs (request_key text_pattern_ops) where request_key is not null;
-- Shortened ids show the end of the id.
create index jobs_id_end on jobs (reverse(id::text) text_pattern_ops);
-- Errors by code, and the newest errors, in whose messages the search looks.
create index jobs_error_code on jobs (error_code text_pattern_ops) where error_code is not null;
create index jobs_errors on jobs (created_at desc, id desc) where error_code is not null;
