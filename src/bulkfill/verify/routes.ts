import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PAGE_POLICY } from '#http/pages/page.ts';
import type { RouteGroup } from '#http/route-group.ts';
import type { Clock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';
import { findVerifyId } from '#storage/verify-ids.ts';
import { refuse } from '../errors.ts';
import { notVerifiedPage, verifiedPage } from './pages.ts';

const ID = /^[0-9a-f]{32}$/;
const EXAMPLE = { id: '4f1c9a52e7d80b36a1f4c29d5e8b7f03', issued_on: '2026-11-18', project: 'Certificate' };

const verifiedSchema = z
  .object({
    id: z.string().describe('The id of the document'),
    issued_on: z.string().describe('The day on which the document was first issued, in UTC'),
    project: z.string().nullable().describe('The name of the project or package; null if it has none'),
  })
  .meta({
    id: 'VerifiedDocument',
    description: 'A document that this installation issued',
    examples: [EXAMPLE],
  });

const html = (description: string) => ({ type: 'string', description, examples: ['<!doctype html>…'] });

interface VerifyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly isOn: boolean;
}

/**
 * Confirms the day of issue and the project of a document. Requires no key: the id is in the document, and nobody can guess it. A
 * malformed, unknown or expired id, and a server that has this switched off, get the same response.
 */
export function verifyRoutes({ db, clock, isOn }: VerifyParts): RouteGroup {
  const verify = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const found = isOn && ID.test(id) ? await findVerifyId(db, id, clock.now()) : undefined;
    const isPage = request.headers.accept?.includes('text/html') === true;
    reply.headers({ vary: 'Accept', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    if (isPage) reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8');
    if (found === undefined) {
      if (isPage) return reply.status(404).send(notVerifiedPage());
      throw refuse('VERIFY_ID_NOT_FOUND', 'No document can be verified at this address.');
    }
    const answer = { id, issued_on: found.issuedAt.toISOString().slice(0, 10), project: found.projectName };
    return isPage
      ? reply.send(verifiedPage(answer))
      : reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  };
  return {
    prefix: '/v',
    plugin: async (app, { guards }) => {
      const onRequest = guards.rateLimitAddress('bulkfill', 'bulkfill.verify');
      app.get(
        '/:id',
        {
          onRequest,
          schema: {
            operationId: 'verifyDocument',
            summary: 'Verify that a document was issued',
            description:
              'Confirms the day of issue and the project of a document whose job had `verify_column`, and shows nothing of its content. Needs no key. Browsers get a page.',
            tags: ['Bulk Fill'],
            params: z.object({ id: z.string().describe('The id from the document: 32 hexadecimal digits') }),
          },
          config: {
            public: true,
            documentedResponses: {
              200: {
                description: 'The document was issued',
                content: { 'application/json': verifiedSchema, 'text/html': html('The same, as a page') },
              },
            },
            errors: ['VERIFY_ID_NOT_FOUND', 'RATE_LIMITED'],
          },
        },
        (request, reply) => verify(request, reply, request.params.id),
      );
      // Paths that cannot contain an id get the same response as unknown ids.
      app.get('/*', { onRequest, schema: { hide: true } }, (request, reply) => verify(request, reply, ''));
    },
  };
}
