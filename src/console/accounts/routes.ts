import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type AccountRecord,
  createFirstAccount,
  ensureAccount,
  listAccounts,
  updateAccount,
} from '#storage/accounts.ts';
import type { Tx } from '#storage/database.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { accountPage, account as accountSchema, defaultAccount, planPage } from '../contract/accounts.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { nameText, pageQuery, pageWithin } from '../page.ts';
import { getNamedAccount } from './find-named-account.ts';

function showAccount({ id, name, plan, active, created_at }: AccountRecord) {
  return { id, name, plan, active, created_at: created_at.toISOString() };
}

/** The account of an installation whose first job is started in the editor. */
const DEFAULT_ACCOUNT = 'Default';

/** Accounts and plans. */
export function accountRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, clock, ids, settings } = parts;
  const recordCreated = (tx: Tx, request: FastifyRequest, accountId: string, plan: string) =>
    recordAction({ ...parts, db: tx }, request, { action: 'account.created', accountId, details: { plan } });
  const params = z.object({ id: z.string() });
  const planName = z
    .string()
    .refine((name) => settings.plans.has(name), 'is not a plan of this installation');

  app.get(
    '/accounts',
    {
      config: { needs: 'inspect' },
      schema: {
        querystring: pageQuery.extend({ account: z.string().optional() }),
        response: { 200: accountPage },
      },
    },
    async (request) => {
      const { account } = request.query;
      const accounts = account ? [await getNamedAccount(db, request, account)] : await listAccounts(db);
      return pageWithin(accounts.map(showAccount), request.query);
    },
  );

  app.post(
    '/accounts',
    {
      config: { needs: 'manage' },
      schema: {
        body: z.strictObject({ name: nameText, plan: planName.optional() }),
        response: { 201: accountSchema },
      },
    },
    async (request, reply) => {
      const { name, plan = settings.plan } = request.body;
      const id = ids.uuid();
      const account = await db.transaction().execute(async (tx) => {
        const made = await ensureAccount(tx, { id, name, plan, now: clock.now() });
        if (made.id !== id) throw refuse('ACCOUNT_EXISTS', undefined, { members: { field: 'name' } });
        await recordCreated(tx, request, id, plan);
        return made;
      });
      return reply.status(201).send(showAccount(account));
    },
  );

  app.post(
    '/accounts/default',
    { config: { needs: 'manage' }, schema: { response: { 200: defaultAccount } } },
    async (request) => {
      const id = ids.uuid();
      const { plan } = settings;
      const account = { id, name: DEFAULT_ACCOUNT, plan, now: clock.now() };
      const created = await createFirstAccount(db, account, (tx) => recordCreated(tx, request, id, plan));
      return { created };
    },
  );

  const change = z
    .strictObject({ plan: planName.optional(), active: z.boolean().optional() })
    .refine(({ plan, active }) => plan !== undefined || active !== undefined, 'must name plan or active');
  app.patch(
    '/accounts/:id',
    { config: { needs: 'manage' }, schema: { params, body: change, response: { 200: accountSchema } } },
    async (request) => {
      const { name, id } = await getNamedAccount(db, request, request.params.id);
      const { plan, active } = request.body;
      const wanted = { ...(plan !== undefined && { plan }), ...(active !== undefined && { active }) };
      const account = await db.transaction().execute(async (tx) => {
        const changed = await updateAccount(tx, name, wanted);
        const entry = { action: 'account.changed', accountId: id, details: wanted };
        await recordAction({ ...parts, db: tx }, request, entry);
        return changed;
      });
      if (account === undefined) throw new Error(`bug: account ${name} is gone`);
      return showAccount(account);
    },
  );

  app.get('/plans', { config: { needs: 'inspect' }, schema: { response: { 200: planPage } } }, async () => ({
    items: [...settings.plans].map(([name, plan]) => ({
      name,
      rows_per_month: plan.rowsPerMonth,
      max_pdf_bytes: plan.maxPdfBytes,
      max_stored_bytes: plan.maxStoredBytes,
      default: name === settings.plan,
    })),
    next_cursor: null,
  }));
}
