import { z } from 'zod';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import { getPrincipal } from '#http/principal.ts';
import { isTagInUse } from '#storage/subscribers/imports.ts';
import { deleteTag, findTag, insertTag, listTags, updateTag } from '#storage/subscribers/tags.ts';
import { itemOf, listOf, pageQuery } from '../contract.ts';
import { decodeCursor, pageOf } from '../http/cursor.ts';
import { answerOnce } from '../http/idempotency.ts';
import { gone, idFrom, isTaken, no } from '../http/refusals.ts';
import type { RouteKit, SurfaceApp } from '../http/route-kit.ts';
import { description, params, tag, tagName } from './contract.ts';
import { showTag } from './views.ts';

const tags = ['Tags'];

const taken = () =>
  no('resource_conflict', 'A tag with this name already exists.', { field: 'name', reason: 'taken' });

export function tagRoutes(app: SurfaceApp, { deps, requests, open, openOnce }: RouteKit): void {
  const { db, clock, ids } = deps;
  const get = async (accountId: string, id: string) => {
    const found = await findTag(db, accountId, id);
    if (found === undefined) throw gone('tag');
    return found;
  };

  app.get(
    '/tags',
    {
      ...open(['tags:read']),
      schema: {
        operationId: 'listTags',
        summary: 'List tags',
        tags,
        querystring: pageQuery,
        response: { 200: listOf(tag) },
      },
    },
    async (request) => {
      const { limit, starting_after } = request.query;
      const after = decodeCursor(starting_after);
      return pageOf(await listTags(db, getPrincipal(request).accountId, { limit, after }), limit, showTag);
    },
  );

  app.post(
    '/tags',
    {
      ...openOnce(['tags:write'], ['resource_conflict']),
      schema: {
        operationId: 'createTag',
        summary: 'Create a tag',
        tags,
        body: z.object({ name: tagName, description }),
        response: { 201: itemOf(tag) },
      },
    },
    (request, reply) =>
      answerOnce(requests, request, reply, 'subscribers.tag', async (tx) => {
        const { accountId } = getPrincipal(request);
        const id = ids.uuid();
        const { name, description } = request.body;
        if (!(await insertTag(tx, accountId, { id, name, description: description ?? null }, clock.now())))
          throw taken();
        const made = await findTag(tx, accountId, id);
        if (made === undefined) throw new Error('bug: a tag was made and is not there');
        return jsonResponse(201, { data: showTag(made) });
      }),
  );

  app.get(
    '/tags/:tag_id',
    {
      ...open(['tags:read']),
      schema: { operationId: 'getTag', summary: 'Get a tag', tags, params, response: { 200: itemOf(tag) } },
    },
    async (request) => ({
      data: showTag(await get(getPrincipal(request).accountId, idFrom(request.params.tag_id, 'tag'))),
    }),
  );

  app.put(
    '/tags/:tag_id',
    {
      ...open(['tags:write'], ['resource_conflict']),
      schema: {
        operationId: 'updateTag',
        summary: 'Update a tag',
        tags,
        params,
        body: z.object({ name: tagName.optional(), description }),
        response: { 200: itemOf(tag) },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const id = idFrom(request.params.tag_id, 'tag');
      const { name, description } = request.body;
      const values = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      };
      const changed = await updateTag(db, accountId, id, values, clock.now()).catch((error) => {
        throw isTaken(error) ? taken() : error;
      });
      if (!changed) throw gone('tag');
      return { data: showTag(await get(accountId, id)) };
    },
  );

  app.delete(
    '/tags/:tag_id',
    {
      ...open(['tags:write'], ['resource_conflict']),
      schema: {
        operationId: 'deleteTag',
        summary: 'Delete a tag',
        tags,
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const found = await get(accountId, idFrom(request.params.tag_id, 'tag'));
      if (await isTagInUse(db, accountId, found.id, found.name))
        throw no('resource_conflict', 'A running import uses this tag.', {
          resource: { type: 'tag', id: found.id },
        });
      if (!(await deleteTag(db, accountId, found.id))) throw gone('tag');
      return reply.code(204).send();
    },
  );
}
