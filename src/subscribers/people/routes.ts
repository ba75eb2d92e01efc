import { z } from 'zod';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import { getPrincipal } from '#http/principal.ts';
import { isUuid } from '#lib/ids.ts';
import { withEntry } from '#storage/console/due-entry.ts';
import { readOnly } from '#storage/read-replica.ts';
import { findSubscriber, listSubscribers } from '#storage/subscribers/people.ts';
import { findTag } from '#storage/subscribers/tags.ts';
import {
  deleteSubscriber,
  tagSubscriber,
  touchSubscriber,
  untagSubscriber,
} from '#storage/subscribers/write-people.ts';
import { itemOf, listOf } from '../contract.ts';
import { decodeCursor, pageOf } from '../http/cursor.ts';
import { answerOnce } from '../http/idempotency.ts';
import { gone, idFrom } from '../http/refusals.ts';
import type { RouteKit, SurfaceApp } from '../http/route-kit.ts';
import { tagId } from '../tags/contract.ts';
import { announceSubscriber } from '../webhooks/announce.ts';
import {
  listQuery,
  params,
  statusBody,
  subscriber,
  tagMatch,
  updateBody,
  upsertBody,
  wantedTags,
} from './contract.ts';
import { showSubscriber } from './views.ts';
import { changePerson, getPerson, setStatus, upsertPerson } from './write-person.ts';

const tagParams = params.extend({ tag_id: tagId });
const tags = ['Subscribers'];
const item = itemOf(subscriber);
/** An id that no tag has: the filter matches no person. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export function subscriberRoutes(app: SurfaceApp, { deps, requests, open, openOnce }: RouteKit): void {
  const { db, clock } = deps;
  const write = open(['subscribers:write']);
  const once = openOnce(['subscribers:write'], ['resource_conflict']);

  app.get(
    '/subscribers',
    {
      ...open(['subscribers:read']),
      schema: {
        operationId: 'listSubscribers',
        summary: 'List subscribers',
        description: 'Lists the subscribers that match all filters, newest first.',
        tags,
        querystring: listQuery,
        response: { 200: listOf(subscriber) },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const { limit, starting_after, search, email, status, cold_only, tag_operator } = request.query;
      const selection = {
        query: search,
        email,
        status,
        coldOnly: cold_only === 'true',
        tagIds: wantedTags(request.query).map((id) => (isUuid(id) ? id.toLowerCase() : NOBODY)),
        tagMatch: tagMatch(tag_operator),
      };
      const page = { limit, after: decodeCursor(starting_after) };
      return pageOf(
        await readOnly(db, (reader) => listSubscribers(reader, accountId, selection, page, clock.now())),
        limit,
        showSubscriber,
      );
    },
  );

  app.post(
    '/subscribers',
    {
      ...once,
      config: {
        ...once.config,
        documentedStatuses: { 200: 'The subscriber was updated', 201: 'The subscriber was created' },
      },
      schema: {
        operationId: 'upsertSubscriber',
        summary: 'Create a subscriber, or update the one with this email',
        description:
          'Creates a subscriber, or updates the one with the same email. Members that are absent stay as they are.',
        tags,
        body: upsertBody,
        response: { 200: item, 201: item },
      },
    },
    (request, reply) =>
      answerOnce(requests, request, reply, 'subscribers.upsert', async (tx) => {
        const { created, record } = await upsertPerson(
          deps,
          tx,
          getPrincipal(request).accountId,
          request.body,
        );
        return jsonResponse(created ? 201 : 200, { data: showSubscriber(record) });
      }),
  );

  app.get(
    '/subscribers/:subscriber_id',
    {
      ...open(['subscribers:read']),
      schema: {
        operationId: 'getSubscriber',
        summary: 'Get a subscriber',
        description: 'Returns a subscriber with tags and custom fields.',
        tags,
        params,
        response: { 200: item },
      },
    },
    async (request) => {
      const id = idFrom(request.params.subscriber_id, 'subscriber');
      const found = await findSubscriber(db, getPrincipal(request).accountId, id);
      if (found === undefined) throw gone('subscriber');
      return { data: showSubscriber(found) };
    },
  );

  app.patch(
    '/subscribers/:subscriber_id',
    {
      ...open(['subscribers:write'], ['resource_conflict']),
      schema: {
        operationId: 'updateSubscriber',
        summary: 'Update a subscriber',
        description: 'Changes the members that are sent; the others stay as they are.',
        tags,
        params,
        body: updateBody,
        response: { 200: item },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const id = idFrom(request.params.subscriber_id, 'subscriber');
      const record = await withEntry(db, (tx) => changePerson(deps, tx, accountId, id, request.body));
      return { data: showSubscriber(record) };
    },
  );

  app.delete(
    '/subscribers/:subscriber_id',
    {
      ...write,
      schema: {
        operationId: 'deleteSubscriber',
        summary: 'Delete a subscriber',
        description: 'Deletes a subscriber with all stored data.',
        tags,
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const id = idFrom(request.params.subscriber_id, 'subscriber');
      await withEntry(db, async (tx) => {
        if (!(await deleteSubscriber(tx, accountId, id))) throw gone('subscriber');
        await announceSubscriber(deps, tx, accountId, 'subscriber.deleted', { id });
      });
      return reply.code(204).send();
    },
  );

  app.put(
    '/subscribers/:subscriber_id/status',
    {
      ...write,
      schema: {
        operationId: 'updateSubscriberStatus',
        summary: 'Set the status of a subscriber',
        description: 'Sets the status alone, and announces the change.',
        tags,
        params,
        body: statusBody,
        response: { 200: item },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const id = idFrom(request.params.subscriber_id, 'subscriber');
      const record = await withEntry(db, (tx) => setStatus(deps, tx, accountId, id, request.body.status));
      return { data: showSubscriber(record) };
    },
  );

  const setTag = async (accountId: string, path: z.infer<typeof tagParams>, add: boolean) => {
    const id = idFrom(path.subscriber_id, 'subscriber');
    const tagId = idFrom(path.tag_id, 'tag');
    return withEntry(db, async (tx) => {
      await getPerson(tx, accountId, id);
      if ((await findTag(tx, accountId, tagId)) === undefined) throw gone('tag');
      const changed = add ? (await tagSubscriber(tx, id, [tagId])) > 0 : await untagSubscriber(tx, id, tagId);
      if (changed) await touchSubscriber(tx, id, clock.now());
      const record = await getPerson(tx, accountId, id);
      if (changed)
        await announceSubscriber(deps, tx, accountId, 'subscriber.updated', { id, status: record.status });
      return { data: showSubscriber(record) };
    });
  };

  app.put(
    '/subscribers/:subscriber_id/tags/:tag_id',
    {
      ...write,
      schema: {
        operationId: 'addSubscriberTag',
        summary: 'Add a tag to a subscriber',
        description: 'Adds a tag. A tag that the subscriber already has stays.',
        tags,
        params: tagParams,
        response: { 200: item },
      },
    },
    (request) => setTag(getPrincipal(request).accountId, request.params, true),
  );

  app.delete(
    '/subscribers/:subscriber_id/tags/:tag_id',
    {
      ...write,
      schema: {
        operationId: 'removeSubscriberTag',
        summary: 'Remove a tag from a subscriber',
        description: 'Removes a tag. Without it, the subscriber stays as it is.',
        tags,
        params: tagParams,
        response: { 200: item },
      },
    },
    (request) => setTag(getPrincipal(request).accountId, request.params, false),
  );
}
