import { basename } from 'node:path';

/** A page made from a Markdown file of the repository. */
export interface PageSource {
  readonly slug: string;
  readonly path: string;
  readonly group: string;
  /** In the navigation, if the heading of the file is too long for it. */
  readonly title?: string;
  /** The headings to keep; all if absent. */
  readonly only?: readonly string[];
}

/** A group of pages in the navigation. Groups that are folded show their pages only while one of them is open. */
export interface Group {
  readonly name: string;
  readonly folded?: boolean;
}

export const API_GROUP = 'API reference';

export const GROUPS: readonly Group[] = [
  { name: 'Start' },
  { name: 'Concepts' },
  { name: 'Guides' },
  { name: 'Examples' },
  { name: API_GROUP },
  { name: 'Clients' },
  { name: 'Reference' },
  { name: 'Project' },
  { name: 'Rules', folded: true },
  { name: 'Decisions', folded: true },
  { name: 'Measurements', folded: true },
];

/** Guides in the order in which a reader needs them. A guide that is not listed follows at the end. */
const GUIDES = [
  'design-a-layout',
  'write-a-layout-by-hand',
  'import-subscribers',
  'push-master-data',
  'receive-webhooks',
  'fill-from-a-program',
  'wait-for-a-job',
  'make-one-pdf',
  'group-rows',
  'protect-with-passwords',
  'prove-documents',
  'retry-safely',
  'move-from-a-script',
  'run-in-production',
  'run-behind-nginx',
  'single-sign-on',
  'high-availability',
  'size-an-installation',
  'scale-out',
  'back-up-and-upgrade',
  'delete-personal-data',
];
const CONCEPTS = ['idempotency', 'jobs', 'results', 'sealed-packages'];
/** Files that are pages of another group, or that are only useful next to their pictures. */
const ELSEWHERE = ['questions', 'compare', 'fill-engine-internals'].map((name) => `docs/guides/${name}.md`);

/** Lists the pages made from these Markdown files, in the order of the navigation. */
export function pageSources(files: readonly string[]): PageSource[] {
  const inFolder = (folder: string, order: readonly string[] = []) => {
    const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
    return files
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => ({ path, name: basename(path, '.md') }))
      .sort((a, b) => rank(a.name) - rank(b.name) || (a.path < b.path ? -1 : 1));
  };
  const pages = (group: string, folder: string, slug: string, order?: readonly string[]) =>
    inFolder(folder, order)
      .filter(({ path }) => !ELSEWHERE.includes(path))
      .map(({ path, name }) => ({ slug: `${slug}/${name}`, path, group }));
  /** Pages made from the README of each folder in a folder. */
  const readmes = (group: string, folder: string) =>
    inFolder(folder).map(({ path }) => ({ slug: path.replace('/README.md', ''), path, group }));
  return [
    { slug: '', path: 'docs/index.md', group: 'Start', title: 'Overview' },
    {
      slug: 'get-started',
      path: 'README.md',
      group: 'Start',
      title: 'Get started',
      only: [
        'Install and run',
        'Fill your first form in the editor',
        'API quick start',
        'What it promises',
        'Limits',
      ],
    },
    { slug: 'questions', path: 'docs/guides/questions.md', group: 'Start' },
    { slug: 'compare', path: 'docs/guides/compare.md', group: 'Start' },
    ...pages('Concepts', 'docs/concepts', 'concepts', CONCEPTS),
    ...pages('Guides', 'docs/guides', 'guides', GUIDES),
    ...readmes('Examples', 'examples'),
    ...readmes('Clients', 'clients'),
    { slug: 'errors', path: 'docs/errors.md', group: 'Reference' },
    { slug: 'roles', path: 'docs/roles.md', group: 'Reference' },
    { slug: 'settings', path: 'docs/settings.md', group: 'Reference' },
    { slug: 'changelog', path: 'CHANGELOG.md', group: 'Project' },
    { slug: 'versions', path: 'VERSIONING.md', group: 'Project' },
    { slug: 'security', path: 'SECURITY.md', group: 'Project' },
    { slug: 'architecture', path: 'ARCHITECTURE.md', group: 'Project' },
    { slug: 'fill-engine', path: 'docs/guides/fill-engine-internals.md', group: 'Project' },
    { slug: 'fonts', path: 'fonts/README.md', group: 'Project' },
    { slug: 'contributing', path: 'CONTRIBUTING.md', group: 'Project' },
    ...pages('Rules', 'docs/contract', 'rules'),
    ...pages('Decisions', 'docs/decisions', 'decisions'),
    ...pages('Measurements', 'docs/bench', 'bench'),
  ];
}

/** Files that the server serves at another address, relative to `/docs/`. */
export const SERVED_FILES: Readonly<Record<string, string>> = {
  'docs/openapi.json': '../openapi.json',
  'docs/schemas/layout.json': '../schemas/layout.json',
  'docs/errors.json': 'errors.json',
};

/** Folders whose pages have a list. */
export const LISTED_FOLDERS: Readonly<Record<string, { slug: string; group: string; lead: string }>> = {
  'docs/contract': {
    slug: 'rules',
    group: 'Rules',
    lead: 'Every behaviour has a rule with an id, and a test cites it. Read these pages if a guide leaves a question open.',
  },
  'docs/decisions': {
    slug: 'decisions',
    group: 'Decisions',
    lead: 'Each record gives the context of a decision, the choice and its cost.',
  },
};
