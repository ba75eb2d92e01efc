import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command } from 'commander';
import type { Project, ProjectParts, Rowpress } from '#client/rowpress.ts';
import { printJson, printLines, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { wholeNumber } from './option-values.ts';
import { calling } from './remote/calling.ts';
import { connect, type ServerFlags, withServerOptions } from './remote/connection.ts';
import { saveStream } from './remote/download-job.ts';
import { requireFile } from './remote/export-input.ts';
import { wireOf } from './remote/job-report.ts';
import { announceKey, idempotencyKey } from './remote/request-key.ts';
import { printTable } from './table.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const version = wholeNumber(1, 999_999_999);

/** `rowpress projects …`: PDFs and layouts that a server keeps under a name. */
export function projectsCommand(): Command {
  const projects = new Command('projects').description(
    'Manage the projects of a server: a PDF and a layout under a name',
  );
  const parts = (command: Command) =>
    command
      .option('--package <file>', 'Sealed package (.doqlo)')
      .option(
        '--layout <file>',
        'Sealed package, or a layout.json that the server seals (needs a key with --seal)',
      );
  withServerOptions(projects.command('list').description('List projects, newest first')).action(list);
  withServerOptions(
    projects
      .command('show')
      .description('Show a project and the columns of its rows')
      .argument('<project>', 'Name or id, optionally with @version'),
  ).action(show);
  withServerOptions(
    parts(
      projects
        .command('create')
        .description('Save a new project')
        .argument('<name>', 'Name of the project')
        .requiredOption('--pdf <file>', 'Source PDF'),
    ).option(
      '--idempotency-key <key>',
      'Key of an earlier run of this command (default: a new one)',
      idempotencyKey,
    ),
  ).action(create);
  withServerOptions(
    parts(
      projects
        .command('update')
        .description('Save the next version of a project; parts that are not given stay')
        .argument('<project>', 'Name or id')
        .option('--name <name>', 'New name')
        .option('--pdf <file>', 'Source PDF'),
    ).option('--if-version <n>', 'Fail if the latest version is another one', version),
  ).action(update);
  withServerOptions(
    projects
      .command('delete')
      .description('Delete a project with all versions')
      .argument('<project>', 'Name or id')
      .option('--if-version <n>', 'Fail if the latest version is another one', version),
  ).action(remove);
  withServerOptions(
    projects
      .command('download')
      .description('Download the PDF, the package or a sample of the rows')
      .argument('<project>', 'Name or id, optionally with @version')
      .option('--pdf <file>', 'File for the PDF')
      .option('--package <file>', 'File for the sealed package')
      .option('--sample <file>', 'File for a CSV with the header and one row'),
  ).action(download);
  return projects;
}

interface PartFlags extends ServerFlags {
  readonly name?: string;
  readonly pdf?: string;
  readonly package?: string;
  readonly layout?: string;
}

async function list(flags: ServerFlags): Promise<void> {
  const client = connect(flags);
  const found = await calling(() => all(client));
  if (flags.json) return printJson({ projects: found.map(wireOf) });
  printTable(
    ['PROJECT', 'NAME', 'VERSION', 'PAGES', 'UPDATED'],
    found.map((project) => [
      project.projectId,
      project.name,
      String(project.version),
      String(project.pageCount),
      project.updatedAt,
    ]),
  );
}

async function all(client: Rowpress): Promise<Project[]> {
  const found: Project[] = [];
  for await (const project of client.bulkfill.projects.list()) found.push(project);
  return found;
}

/** Splits `Letter@2`. No name ends like that (BF131). */
function versionOf(project: string): { name: string; version?: number } {
  const [, name = project, number] = /^(.+)@(\d{1,9})$/s.exec(project) ?? [];
  return { name, ...(number !== undefined && { version: Number(number) }) };
}

/** Returns the id of a project. A name is looked up; what looks like an id is one (BF131). */
async function idOf(client: Rowpress, project: string): Promise<string> {
  if (ID.test(project)) return project;
  const wanted = project.normalize('NFC');
  const found = (await calling(() => all(client))).find(({ name }) => name.normalize('NFC') === wanted);
  if (found === undefined) throw new CommandFailed('PROJECT_NOT_FOUND', `There is no project "${project}".`);
  return found.projectId;
}

async function show(project: string, flags: ServerFlags): Promise<void> {
  const client = connect(flags);
  const { name, ...options } = versionOf(project);
  const id = await idOf(client, name);
  const found = await calling(() => client.bulkfill.projects.get(id, options));
  if (flags.json) return printJson(wireOf(found));
  printLines([
    `project  ${found.projectId}`,
    `name     ${found.name}`,
    `version  ${found.version}`,
    `pages    ${found.pageCount}`,
  ]);
  printTable(
    ['COLUMN', 'LABEL'],
    found.columns.map(({ key, label }) => [key, label]),
  );
}

async function create(
  name: string,
  flags: PartFlags & { readonly idempotencyKey?: string; readonly pdf: string },
): Promise<void> {
  const client = connect(flags);
  const given = await partsOf(flags);
  if (given.package === undefined && given.layout === undefined)
    throw new CommandFailed('USAGE', 'Pass --package FILE or --layout FILE.');
  const key = announceKey(flags.idempotencyKey);
  const saved = await calling(() =>
    client.bulkfill.projects.create({ ...given, name, pdf: flags.pdf }, { idempotencyKey: key }),
  );
  printSaved(saved, flags.json, { idempotency_key: key });
}

async function update(project: string, flags: PartFlags & { readonly ifVersion?: number }): Promise<void> {
  const client = connect(flags);
  const given = await partsOf(flags);
  if (Object.keys(given).length === 0)
    throw new CommandFailed('USAGE', 'Nothing to save; pass --name, --pdf, --package or --layout.');
  const id = await idOf(client, project);
  const { ifVersion } = flags;
  printSaved(await calling(() => client.bulkfill.projects.update(id, given, { ifVersion })), flags.json);
}

async function partsOf({ name, pdf, package: sealed, layout }: PartFlags): Promise<ProjectParts> {
  if (sealed !== undefined && layout !== undefined)
    throw new CommandFailed('USAGE', 'Pass either --package FILE or --layout FILE.');
  for (const file of [pdf, sealed, layout]) if (file !== undefined) await requireFile(file);
  const isJson = layout !== undefined && extname(layout).toLowerCase() === '.json';
  const packageFile = isJson ? sealed : (sealed ?? layout);
  return {
    ...(name !== undefined && { name }),
    ...(pdf !== undefined && { pdf }),
    ...(packageFile !== undefined && { package: packageFile }),
    ...(isJson && { layout: await readLayout(layout) }),
  };
}

async function readLayout(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new CommandFailed('PACKAGE_INVALID', `${path} is not valid JSON.`);
  }
}

function printSaved(project: Project, json: boolean, more: object = {}): void {
  if (json) printJson({ ...wireOf(project), ...more });
  else {
    process.stdout.write(`${project.projectId}\n`);
    tell(`Project "${project.name}", version ${project.version} saved.`);
  }
}

async function remove(project: string, flags: ServerFlags & { readonly ifVersion?: number }): Promise<void> {
  const client = connect(flags);
  const id = await idOf(client, project);
  await calling(() => client.bulkfill.projects.delete(id, { ifVersion: flags.ifVersion }));
  if (flags.json) printJson({ project_id: id, deleted: true });
  else tell(`Project "${project}" deleted.`);
}

interface DownloadFlags extends ServerFlags {
  readonly pdf?: string;
  readonly package?: string;
  readonly sample?: string;
}

async function download(project: string, flags: DownloadFlags): Promise<void> {
  const { pdf, package: sealed, sample, json } = flags;
  if (pdf === undefined && sealed === undefined && sample === undefined)
    throw new CommandFailed('USAGE', 'Pass --pdf FILE, --package FILE or --sample FILE.');
  const client = connect(flags);
  const { name, ...options } = versionOf(project);
  const id = await idOf(client, name);
  const from = client.bulkfill.projects;
  if (pdf !== undefined) await calling(async () => saveStream(await from.pdf(id, options), pdf));
  if (sealed !== undefined) await calling(async () => saveStream(await from.package(id, options), sealed));
  if (sample !== undefined)
    await calling(async () => saveStream(new Blob([await from.sampleCsv(id, options)]).stream(), sample));
  if (json) printJson({ project_id: id, pdf, package: sealed, sample });
}
