import { toCamel } from './camel-case.ts';
import { downloadStream } from './download.ts';
import { formOf } from './export-form.ts';
import { listAll } from './pages.ts';
import type { CallOptions, ProgressOptions } from './progress.ts';
import { uuid } from './request-ids.ts';
import type { Source } from './source.ts';
import type { Call, Transport } from './transport.ts';
import type { Wire } from './wire-types.ts';

/** One version of a project: a PDF and a sealed package that the server keeps under a name. */
export type Project = Wire<'Project'>;

export interface ProjectParts {
  readonly name?: string | undefined;
  readonly pdf?: Source | undefined;
  /** A sealed package. */
  readonly package?: Source | undefined;
  /** A layout that the server seals; the key must be allowed to. */
  readonly layout?: Readonly<Record<string, unknown>> | undefined;
}
export type NewProject = ProjectParts & { readonly name: string; readonly pdf: Source };

export interface VersionOptions extends CallOptions {
  /** The latest version by default. */
  readonly version?: number | undefined;
}
export interface IfVersionOptions extends ProgressOptions {
  /** Fail with `PRECONDITION_FAILED` if the latest version is another one. */
  readonly ifVersion?: number | undefined;
}

const PROJECTS = '/v1/bulkfill/projects';
const surface = 'bulkfill' as const;

/** Projects of the account. Fill one with `createAndWait({ project: 'Invoice', rows, … })`. */
export class Projects {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(
    parts: NewProject,
    {
      idempotencyKey = uuid(),
      ...options
    }: ProgressOptions & { readonly idempotencyKey?: string | undefined } = {},
  ): Promise<Project> {
    return this.#send({
      method: 'POST',
      path: PROJECTS,
      ...(await formOf(parts)),
      key: idempotencyKey,
      ...options,
    });
  }

  /**
   * Saves the next version; parts that are not given stay. Without `ifVersion`, a broken connection is an error at once,
   * because a repetition could save a second version.
   */
  async update(
    projectId: string,
    parts: ProjectParts,
    { ifVersion, ...options }: IfVersionOptions = {},
  ): Promise<Project> {
    const guard = { headers: ifMatch(ifVersion), repeatable: ifVersion !== undefined };
    return this.#send({
      method: 'PUT',
      path: pathOf(projectId),
      ...(await formOf(parts)),
      ...guard,
      ...options,
    });
  }

  get(projectId: string, { version, ...options }: VersionOptions = {}): Promise<Project> {
    return this.#send({ method: 'GET', path: pathOf(projectId), query: { version }, ...options });
  }

  /** The latest version of every project, newest first. */
  list(options: CallOptions = {}): AsyncGenerator<Project, void, void> {
    return listAll(this.#transport, { surface, path: PROJECTS, query: { limit: 100 }, ...options });
  }

  versions(projectId: string, options: CallOptions = {}): AsyncGenerator<Project, void, void> {
    const path = `${pathOf(projectId)}/versions`;
    return listAll(this.#transport, { surface, path, query: { limit: 100 }, ...options });
  }

  /** Deletes all versions. Jobs that are accepted still run. */
  async delete(projectId: string, { ifVersion, signal }: IfVersionOptions = {}): Promise<void> {
    const call = {
      surface,
      method: 'DELETE',
      path: pathOf(projectId),
      headers: ifMatch(ifVersion),
      signal,
    } as const;
    await this.#transport.remove(call);
  }

  pdf(projectId: string, options: VersionOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#file(projectId, 'pdf', options);
  }

  package(projectId: string, options: VersionOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#file(projectId, 'package', options);
  }

  /** A CSV with the labels as header and one example row. */
  async sampleCsv(projectId: string, options: VersionOptions = {}): Promise<string> {
    return new Response(await this.#file(projectId, 'sample.csv', options)).text();
  }

  /** A PNG of one page. */
  pagePng(
    projectId: string,
    { page, width, ...options }: VersionOptions & { readonly page?: number; readonly width?: number } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#file(projectId, 'page.png', options, { page, width });
  }

  /** The JSON Schema of one row, keyed by labels. Its names are not changed. */
  async rowSchema(
    projectId: string,
    { version, signal }: VersionOptions = {},
  ): Promise<Record<string, unknown>> {
    const path = `${pathOf(projectId)}/row-schema`;
    const { body } = await this.#transport.send({ surface, method: 'GET', path, query: { version }, signal });
    return body as Record<string, unknown>;
  }

  async #send(call: Omit<Call, 'surface'>): Promise<Project> {
    const { body } = await this.#transport.send({ surface, ...call });
    return toCamel(body);
  }

  #file(
    projectId: string,
    name: string,
    { version, signal }: VersionOptions,
    query: Call['query'] = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const path = `${pathOf(projectId)}/${name}`;
    const call: Call = { surface, method: 'GET', path, query: { version, ...query }, signal };
    return downloadStream(this.#transport, call, {}, undefined);
  }
}

const pathOf = (projectId: string): string => `${PROJECTS}/${encodeURIComponent(projectId)}`;
const ifMatch = (version: number | undefined) =>
  version === undefined ? {} : { 'if-match': `"${version}"` };
