import { z } from 'zod';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import { getPrincipal } from '#http/principal.ts';
import { withEntry } from '#storage/console/due-entry.ts';
import { isTagInUse } from '#storage/subscribers/imports.ts';
import { deleteTag, findTag, insertTag, listTags, updateTag } from '#storage/subscribers/tags.ts';
import { itemOf } from '../contract.ts';
import { answerOnce } from '../http/idempotency.ts';
import { gone, isTaken, no } from '../http/refusals.ts';
import { resource } from '../http/resource.ts';
import type { RouteKit, SurfaceApp } from '../http/route-kit.ts';
import { createBody, params, tag, updateBody } from './contract.ts';
import { showTag } from './views.ts';

const tags = ['Tags'];

const taken = () =>
  no('resource_conflict', 'A tag with this name already exists.', { field: 'name', reason: 'taken' });

export function tagRoutes(app: SurfaceApp, kit: RouteKit): void {
  const { deps, requests, open, openOnce } = kit;
  const { db, clock, ids } = deps;
  const { idOf, get } = resource(app, kit, {
    path: '/tags',
    idName: 'tag_id',
    noun: 'tag',
    plural: 'tags',
    type: 'Tag',
    tags,
    scope: 'tags:read',
    wire: tag,
    params,
    list: (accountId, page) => listTags(db, accountId, page),
    find: (accountId, id) => findTag(db, accountId, id),
    show: async () => showTag,
  });

  app.post(
    '/tags',
    {
      ...openOnce(['tags:write'], ['resource_conflict']),
      schema: {
        operationId: 'createTag',
        summary: 'Create a tag',
        description: 'Creates a tag. A name that is taken is a conflict, whatever its case.',
        tags,
        body: createBody,
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

  app.put(
    '/tags/:tag_id',
    {
      ...open(['tags:write'], ['resource_conflict']),
      schema: {
        operationId: 'updateTag',
        summary: 'Update a tag',
        description: 'Changes the members that are sent; the others stay as they are.',
        tags,
        params,
        body: updateBody,
        response: { 200: itemOf(tag) },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const id = idOf(request.params);
      const { name, description } = request.body;
      const values = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      };
      await withEntry(db, async (tx) => {
        if (!(await updateTag(tx, accountId, id, values, clock.now()))) throw gone('tag');
      }).catch((error) => {
        throw isTaken(error) ? taken() : error;
      });
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
        description:
          'Deletes a tag and removes it from its subscribers. A tag that a running import uses is a conflict.',
        tags,
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const found = await get(accountId, idOf(request.params));
      if (await isTagInUse(db, accountId, found.id, found.name))
        throw no('resource_conflict', 'A running import uses this tag.', {
          resource: { type: 'tag', id: found.id },
        });
      await withEntry(db, async (tx) => {
        if (!(await deleteTag(tx, accountId, found.id))) throw gone('tag');
      });
      return reply.code(204).send();
    },
  );
}
