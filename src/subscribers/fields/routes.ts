import { z } from 'zod';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import { getPrincipal } from '#http/principal.ts';
import { withEntry } from '#storage/console/due-entry.ts';
import {
  deleteCustomField,
  findCustomField,
  insertCustomField,
  listCustomFields,
  updateCustomField,
} from '#storage/subscribers/custom-fields.ts';
import { isFieldInUse } from '#storage/subscribers/imports.ts';
import { itemOf } from '../contract.ts';
import { answerOnce } from '../http/idempotency.ts';
import { gone, invalid, isTaken, no } from '../http/refusals.ts';
import { resource } from '../http/resource.ts';
import type { RouteKit, SurfaceApp } from '../http/route-kit.ts';
import { createBody, customField, params, updateBody } from './contract.ts';
import { type FieldType, SELECT_TYPES } from './field-value.ts';
import { showField } from './views.ts';

const tags = ['Custom Fields'];

function optionsFor(type: FieldType, options: readonly string[] = []): string[] {
  if (!SELECT_TYPES.has(type)) return [];
  if (options.length === 0) throw invalid('settings.options', `must list the options of a ${type} field`);
  if (new Set(options.map((text) => text.toLowerCase())).size !== options.length)
    throw invalid('settings.options', 'must not repeat an option');
  return [...options];
}

const taken = () =>
  no('resource_conflict', 'A custom field with this label already exists.', {
    field: 'label',
    reason: 'taken',
  });

export function customFieldRoutes(app: SurfaceApp, kit: RouteKit): void {
  const { deps, requests, open, openOnce } = kit;
  const { db, clock, ids } = deps;
  const { idOf, get } = resource(app, kit, {
    path: '/custom-fields',
    idName: 'custom_field_id',
    noun: 'custom field',
    plural: 'custom fields',
    type: 'CustomField',
    tags,
    scope: 'custom_fields:read',
    wire: customField,
    params,
    list: (accountId, page) => listCustomFields(db, accountId, page),
    find: (accountId, id) => findCustomField(db, accountId, id),
    show: async () => showField,
  });

  app.post(
    '/custom-fields',
    {
      ...openOnce(['custom_fields:write'], ['resource_conflict']),
      schema: {
        operationId: 'createCustomField',
        summary: 'Create a custom field',
        description: 'Creates a custom field. Select fields need their options.',
        tags,
        body: createBody,
        response: { 201: itemOf(customField) },
      },
    },
    (request, reply) =>
      answerOnce(requests, request, reply, 'subscribers.custom-field', async (tx) => {
        const { accountId } = getPrincipal(request);
        const { label, type, settings } = request.body;
        const id = ids.uuid();
        const values = { label, type, options: optionsFor(type, settings?.options) };
        if (!(await insertCustomField(tx, accountId, id, values, clock.now()))) throw taken();
        const made = await findCustomField(tx, accountId, id);
        if (made === undefined) throw new Error('bug: a custom field was made and is not there');
        return jsonResponse(201, { data: showField(made) });
      }),
  );

  app.put(
    '/custom-fields/:custom_field_id',
    {
      ...open(['custom_fields:write'], ['resource_conflict']),
      schema: {
        operationId: 'updateCustomField',
        summary: 'Update a custom field',
        description: 'Changes the label or the options. The type cannot be changed.',
        tags,
        params,
        body: updateBody,
        response: { 200: itemOf(customField) },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const before = await get(accountId, idOf(request.params));
      const type = request.body.type ?? (before.type as FieldType);
      // Stored values could not be read as another type. The client can create a new field.
      if (type !== before.type) throw invalid('type', 'cannot be changed');
      const values = {
        label: request.body.label ?? before.label,
        type,
        options: optionsFor(type, request.body.settings?.options ?? before.options),
      };
      await withEntry(db, (tx) => updateCustomField(tx, accountId, before.id, values, clock.now())).catch(
        (error) => {
          throw isTaken(error) ? taken() : error;
        },
      );
      return { data: showField(await get(accountId, before.id)) };
    },
  );

  app.delete(
    '/custom-fields/:custom_field_id',
    {
      ...open(['custom_fields:write'], ['resource_conflict']),
      schema: {
        operationId: 'deleteCustomField',
        summary: 'Delete a custom field',
        description:
          'Deletes a custom field and its values. A field that a running import uses is a conflict.',
        tags,
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const { id } = await get(accountId, idOf(request.params));
      if (await isFieldInUse(db, accountId, id))
        throw no('resource_conflict', 'A running import uses this field.', {
          resource: { type: 'custom_field', id },
        });
      await withEntry(db, async (tx) => {
        if (!(await deleteCustomField(tx, accountId, id))) throw gone('custom field');
      });
      return reply.code(204).send();
    },
  );
}
