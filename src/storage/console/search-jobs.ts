import { type RawBuilder, sql } from 'kysely';
import type { IdPart } from '#lib/id-part.ts';

/** A search in jobs. */
export interface JobSearch {
  /** The beginning of a request id, request key or error code, or a part of an error message. */
  readonly text: string;
  /** What the text can mean as an id or as a part of one. */
  readonly ids: readonly IdPart[];
}

/** The newest failed jobs, in whose error messages the search looks. A message has no index. */
const ERRORS_READ = 20_000;
/** The last group of a UUID, up to which its end has no hyphen. */
const LAST_GROUP = 12;
/** Sorts after every other character, so that it ends a range of texts with one beginning. */
const LAST_CHARACTER = '\u{10FFFF}';

const newestFirst = sql`order by j.created_at desc, j.id desc`;

/**
 * SQL for the ids of the jobs that a search finds, the newest `limit` of each kind of match. `where` applies to every kind,
 * so that pages and filters stay correct. Every branch reads an index or, for messages, a limited number of jobs.
 */
export function foundJobs(
  { text, ids }: JobSearch,
  where: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const matching = (condition: RawBuilder<unknown>) =>
    sql`(select j.id from jobs j where ${condition} and ${where} ${newestFirst} limit ${limit})`;
  const branches = [
    matching(startsWith(sql`j.request_key`, text)),
    matching(startsWith(sql`j.request_id`, text)),
    ...[...new Set([text.toUpperCase(), text.toLowerCase()])].map((code) =>
      matching(startsWith(sql`j.error_code`, code)),
    ),
    ...ids.map((part) => matching(isPart(part))),
    sql`(select e.id from (
          select j.id, j.created_at, j.error_code, j.error_message from jobs j
          where j.error_code is not null and ${where} ${newestFirst} limit ${ERRORS_READ}) e
        where strpos(lower(concat_ws(' ', e.error_code, e.error_message)), lower(${text})) > 0
        order by e.created_at desc, e.id desc limit ${limit})`,
  ];
  return sql.join(branches, sql` union `);
}

/** A range instead of LIKE, so that a parameter can use the index. The operators compare bytes, as `text_pattern_ops` does. */
const startsWith = (column: RawBuilder<unknown>, text: string) =>
  sql`(${column} ~>=~ ${text} and ${column} ~<~ ${text + LAST_CHARACTER})`;

function isPart({ from, to, end }: IdPart): RawBuilder<unknown> {
  const range = sql`j.id between ${from}::uuid and ${to}::uuid`;
  if (end === '') return range;
  const last = [...end.slice(-LAST_GROUP)].reverse().join('');
  const ends = startsWith(sql`reverse(j.id::text)`, last);
  if (end.length <= LAST_GROUP) return sql`(${range} and ${ends})`;
  return sql`(${range} and ${ends} and right(replace(j.id::text, '-', ''), ${end.length}) = ${end})`;
}
