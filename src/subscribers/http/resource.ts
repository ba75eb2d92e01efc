import type { z } from 'zod';
import { getPrincipal } from '#http/principal.ts';
import type { Position } from '#storage/subscribers/people.ts';
import { itemOf, listOf, pageQuery } from '../contract.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import { gone, idFrom } from './refusals.ts';
import type { RouteKit, SurfaceApp } from './route-kit.ts';
import type { Scope } from './scopes.ts';

interface Row {
  readonly id: string;
  readonly created_at: Date;
}

/** What the list and get routes of a resource need. Create, update and delete have rules of their own in each resource. */
export interface ResourceSpec<R extends Row, Wire> {
  readonly path: `/${string}`;
  /** The name of the id in the path, such as `tag_id`. */
  readonly idName: string;
  /** As in `Get a tag`, `List tags` and `There is no such tag.` */
  readonly noun: string;
  readonly plural: string;
  /** As in `getTag` and `listTags`. */
  readonly type: string;
  readonly tags: readonly string[];
  readonly scope: Scope;
  /** The schema of the id in the path. */
  readonly params: z.ZodType;
  readonly wire: z.ZodType<Wire>;
  list(
    accountId: string,
    page: { readonly limit: number; readonly after: Position | undefined },
  ): Promise<R[]>;
  find(accountId: string, id: string): Promise<R | undefined>;
  /** Shows rows of one account. It gets all rows of a page at once, so that one query can serve them. */
  show(accountId: string, rows: readonly R[]): Promise<(row: R) => Wire>;
}

/** Accessors that the other routes of the resource share. */
export interface Resource<R extends Row, Wire> {
  /** Returns the id in the path of a request. */
  idOf(params: Readonly<Record<string, string>>): string;
  /** Returns the row. Throws 404 if the account has none with this id. */
  get(accountId: string, id: string): Promise<R>;
  /** Shows a row. Throws 404 for undefined, such as the result of an update that found no row. */
  showOne(accountId: string, row: R | undefined): Promise<Wire>;
}

/** Registers `GET /things` and `GET /things/{id}`. */
export function resource<R extends Row, Wire>(
  app: SurfaceApp,
  { open }: RouteKit,
  spec: ResourceSpec<R, Wire>,
): Resource<R, Wire> {
  const { path, idName, noun, plural, type, scope, wire, params } = spec;
  const tags = [...spec.tags];
  const idOf: Resource<R, Wire>['idOf'] = (params) => idFrom(params[idName] ?? '', noun);
  const existing = (row: R | undefined): R => {
    if (row === undefined) throw gone(noun);
    return row;
  };
  const get: Resource<R, Wire>['get'] = async (accountId, id) => existing(await spec.find(accountId, id));
  const showOne: Resource<R, Wire>['showOne'] = async (accountId, found) => {
    const row = existing(found);
    return (await spec.show(accountId, [row]))(row);
  };

  app.get(
    path,
    {
      ...open([scope]),
      schema: {
        operationId: `list${type}s`,
        summary: `List ${plural}`,
        description: `Lists the ${plural} of the account, newest first.`,
        tags,
        querystring: pageQuery,
        response: { 200: listOf(wire) },
      },
    },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const { limit, starting_after } = request.query;
      const rows = await spec.list(accountId, { limit, after: decodeCursor(starting_after) });
      return reply.send(pageOf(rows, limit, await spec.show(accountId, rows)));
    },
  );

  app.get(
    `${path}/:${idName}`,
    {
      ...open([scope]),
      schema: {
        operationId: `get${type}`,
        summary: `Get a ${noun}`,
        description: `Returns one ${noun}.`,
        tags,
        params,
        response: { 200: itemOf(wire) as z.ZodType<{ data: Wire }> },
      },
    },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const found = await spec.find(accountId, idOf(request.params as Record<string, string>));
      return reply.send({ data: await showOne(accountId, found) });
    },
  );

  return { idOf, get, showOne };
}
