/** The rules of CHANGELOG.md, and the change that a release makes to it. Pure: text in, text out. */

/** Keep a Changelog's kinds of changes, and the parts of the product that users know. */
export const HEADINGS = [
  ...['Breaking', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'],
  ...[
    'Editor',
    'Console',
    'Command line',
    'APIs',
    'Clients',
    'Documentation',
    'Installation',
    'Security and fairness',
  ],
  ...['Correct output', 'Robustness', 'Features'],
];

const UNRELEASED = '## Unreleased';
const RELEASE = /^## (\d+)\.(\d+)\.(\d+) \((\d{4}-\d{2}-\d{2})\)$/;

/** Returns what is wrong, as `line N: …`. */
export function changelogProblems(text: string): string[] {
  const lines = text.split('\n');
  const problems: string[] = [];
  const complain = (index: number, what: string) => problems.push(`line ${index + 1}: ${what}`);
  if (lines[0] !== '# Changelog') complain(0, 'must be "# Changelog"');
  const sections = lines.flatMap((line, index) => (line.startsWith('## ') ? [{ line, index }] : []));
  if (sections[0]?.line !== UNRELEASED)
    complain(sections[0]?.index ?? 0, `the first section must be "${UNRELEASED}"`);
  let [later, laterDate]: [number[], string] = [[Number.POSITIVE_INFINITY], '9999'];
  for (const { line, index } of sections.slice(1)) {
    const [, major, minor, patch, date = ''] = RELEASE.exec(line) ?? [];
    const version = [major, minor, patch].map(Number);
    if (date === '') complain(index, `must be "## X.Y.Z (YYYY-MM-DD)"; found "${line}"`);
    else if (!isLater(later, version)) complain(index, 'versions must descend');
    else if (date > laterDate) complain(index, 'dates must descend');
    else [later, laterDate] = [version, date];
  }
  checkEntries(lines, complain);
  return problems;
}

function isLater(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** Every entry must be below a known heading, and no heading may appear twice in a section or be empty. */
function checkEntries(lines: readonly string[], complain: (index: number, what: string) => void): void {
  let heading: { name: string; index: number; entries: number } | undefined;
  let seen = new Set<string>();
  const close = () => {
    if (heading?.entries === 0) complain(heading.index, `"${heading.name}" has no entries`);
    heading = undefined;
  };
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('## ')) {
      close();
      seen = new Set();
    } else if (line.startsWith('### ')) {
      close();
      const name = line.slice(4);
      if (!HEADINGS.includes(name)) complain(index, `"${name}" is not one of: ${HEADINGS.join(', ')}`);
      if (seen.has(name)) complain(index, `"${name}" appears twice in this section`);
      seen.add(name);
      heading = { name, index, entries: 0 };
    } else if (line.startsWith('- ')) {
      if (heading === undefined) complain(index, 'an entry must be below a "###" heading');
      else heading.entries += 1;
    }
  }
  close();
}

/** Returns the text below the heading of a version, or of "Unreleased" if it is undefined. Null if there is none. */
export function sectionOf(text: string, version?: string): string | null {
  const start = version === undefined ? `${UNRELEASED}\n` : `## ${version} (`;
  const from = `\n${text}`.indexOf(`\n${start}`);
  if (from === -1) return null;
  const body = text.slice(text.indexOf('\n', from) + 1);
  const end = body.search(/^## /m);
  return (end === -1 ? body : body.slice(0, end)).trim();
}

export const hasEntries = (section: string): boolean => /^- /m.test(section);

/** Moves the entries of "Unreleased" below the version, and leaves "Unreleased" empty. */
export function releasedChangelog(text: string, version: string, date: string): string {
  return text.replace(`${UNRELEASED}\n`, `${UNRELEASED}\n\n## ${version} (${date})\n`);
}
