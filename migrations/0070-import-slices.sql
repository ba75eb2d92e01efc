-- Slices of all surfaces have one shape: `firstRow`, from 1, instead of `row`, from 0, in those of Subscribers imports. Only open jobs and
-- uploads that wait for their import are read again.
create function pg_temp.with_first_row(slice jsonb) returns jsonb language sql as $$
  select case
    when slice ? 'row' then (slice - 'row') || jsonb_build_object('firstRow', (slice ->> 'row')::bigint + 1)
    else slice
  end
$$;

create function pg_temp.with_first_rows(slices jsonb) returns jsonb language sql as $$
  select coalesce(jsonb_agg(pg_temp.with_first_row(slice) order by n), '[]')
  from jsonb_array_elements(slices) with ordinality as t (slice, n)
$$;

update slices s
set input = jsonb_set(s.input::jsonb, '{at}', pg_temp.with_first_row(s.input::jsonb -> 'at'))::json
from jobs j
where j.id = s.job_id and j.kind = 'subscribers.import' and j.settled_at is null and s.input -> 'at' is not null;

update jobs
set input = jsonb_set(input::jsonb, '{source,slices}', pg_temp.with_first_rows(input::jsonb #> '{source,slices}'))::json
where kind = 'subscribers.import' and settled_at is null;

update subscriber_uploads
set source = jsonb_set(source, '{slices}', pg_temp.with_first_rows(source -> 'slices'))
where source is not null and queued_at is null;

drop function pg_temp.with_first_rows(jsonb);
drop function pg_temp.with_first_row(jsonb);
