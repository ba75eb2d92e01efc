import { readHeader } from '#storage/migrations/migration-files.ts';

/** Reads the list of hot tables from migrations/README.md. */
export function readHotTables(readme: string): ReadonlySet<string> {
  const list = /A hot table is[^:]*:\n([^.]+)\./.exec(readme)?.[1] ?? '';
  return new Set([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''));
}

/** A statement that no migration may contain, or none that nodes of the release before must survive. */
interface Check {
  readonly found: RegExp;
  readonly problem: string;
  /** Only if the statement is about a hot table. */
  readonly hot?: true;
  /** Allowed in a contract migration. */
  readonly expandOnly?: true;
}

const CHECKS: readonly Check[] = [
  {
    found: /\bdrop (column|table|view|function|type)\b/,
    problem: 'drops what nodes may use',
    expandOnly: true,
  },
  { found: /\brename\b/, problem: 'renames what nodes use', expandOnly: true },
  {
    found: /\balter (column )?\w+ (set data )?type\b/,
    problem: 'changes the type of a column',
    expandOnly: true,
  },
  { found: /^alter type\b(?!.* add value)/, problem: 'changes a type', expandOnly: true },
  {
    found:
      /\badd (column )?(if not exists )?(?!constraint|check|unique|primary|foreign)\w+ (?!.*\bdefault\b).*\bnot null\b/,
    problem: 'adds a column that nodes do not fill',
    expandOnly: true,
  },
  { found: /\balter (column )?\w+ (set data )?type\b/, problem: 'rewrites a hot table', hot: true },
  {
    found:
      /\badd (column )?(?!constraint).*\bdefault (?!now\(\)|current_timestamp)\w+\(|\bgenerated\b|\bserial\b|\bbigserial\b/,
    problem: 'computes a value for each row of a hot table',
    hot: true,
  },
  {
    found: /\badd (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    problem: 'checks each row of a hot table: add the constraint as not valid',
    hot: true,
  },
  {
    found: /\badd (column )?(?!constraint|check|foreign|unique|primary)\w+ .*\b(check|references)\b/,
    problem: 'checks each row of a hot table: add the constraint separately, as not valid',
    hot: true,
  },
  {
    found: /\badd (constraint \w+ )?(unique|primary key)\b(?!.*\busing index\b)/,
    problem: 'builds an index while it locks a hot table: add the constraint using an index',
    hot: true,
  },
  {
    found: /^create (unique )?index (?!concurrently)/,
    problem: 'blocks writes to a hot table: use concurrently',
    hot: true,
  },
  {
    found: /^(update|delete from|truncate|lock|cluster|vacuum full|merge into)\b/,
    problem: 'locks rows of a hot table',
    hot: true,
  },
  { found: /^drop index (?!concurrently)/, problem: 'locks the table of the index: use concurrently' },
];

const OUTSIDE =
  /^(create (unique )?index concurrently if not exists|drop index concurrently if exists) [a-z0-9_]+\b/;
const TABLE =
  /^(?:alter table (?:if exists )?(?:only )?|update (?:only )?|delete from |truncate (?:table )?|lock (?:table )?|cluster |vacuum full |merge into |create (?:unique )?index .*? on (?:only )?)(\w+)/;

/** Lists what is wrong with a migration. `name` is that of its file, without `.sql`. */
export function problemsOfMigration(name: string, text: string, hotTables: ReadonlySet<string>): string[] {
  const header = readHeader(text);
  if (header === undefined) return ['the first line does not state its kind (migrations/README.md)'];
  const { minimum, inTransaction } = header;
  const statements = splitStatements(text);
  const problems = new Set<string>();
  if (minimum !== undefined && minimum > name) problems.add(`its minimum ${minimum} is newer than itself`);
  const created = new Set(
    statements.flatMap((each) => /^create (?:unlogged )?table (\w+)/.exec(each)?.[1] ?? []),
  );
  const locked = new Set<string>();
  let validated = false;
  for (const statement of statements) {
    if (!inTransaction && !OUTSIDE.test(statement))
      problems.add(
        `outside a transaction, only indexes that are built or dropped concurrently: ${statement}`,
      );
    if (inTransaction && /\bconcurrently\b/.test(statement))
      problems.add(`must be outside a transaction: ${statement}`);
    const table = TABLE.exec(statement)?.[1];
    if (table !== undefined && created.has(table)) continue;
    const hot = table !== undefined && hotTables.has(table);
    if (hot) locked.add(table);
    validated ||= /\bvalidate constraint\b/.test(statement);
    if (/\bset not null\b/.test(statement) && !validated)
      problems.add(`scans the table while it locks it: validate a check first: ${statement}`);
    for (const { found, problem, hot: onlyHot, expandOnly } of CHECKS)
      if (found.test(statement) && (!onlyHot || hot) && (!expandOnly || minimum === undefined))
        problems.add(`${problem}: ${statement}`);
  }
  if (locked.size > 1 && inTransaction)
    problems.add(`changes several hot tables (${[...locked].join(', ')}): use one file for each`);
  return [...problems];
}

/** Splits at every semicolon, even in the body of a function, so that the checks see each statement there too. */
function splitStatements(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().toLowerCase().replaceAll(/\s+/g, ' '))
    .map((statement) => statement.replace(/^(do \$\w*\$ )?(declare .*? )?begin /, ''))
    .filter((statement) => statement !== '');
}
