import { expect, test } from 'vitest';
import { AllJobViews } from '../job-views.ts';
import { linkOf } from './audit-link.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const views = new AllJobViews(new Map());
const names = new Map([[ID, 'Ada']]);
const link = (entry: object) =>
  linkOf({ action: '', account_name: null, target: null, details: null, ...entry }, views, names);

test('[CON70] an audit entry: links the account, key, job, delivery or operator that it is about', () => {
  const job = { kind: 'job', name: ID, path: `/console/jobs/${ID}` };
  const operator = { kind: 'operator', name: 'Ada', path: `/console/operators?operator=${ID}` };
  for (const [entry, expected] of [
    [
      { action: 'account.changed', account_name: 'A & B' },
      { kind: 'account', name: 'A & B', path: '/console/accounts?account=A+%26+B' },
    ],
    [
      { action: 'key.created', account_name: 'acme', target: 'k1' },
      { kind: 'key', name: 'k1', path: '/console/keys?key=k1' },
    ],
    [{ action: 'job.cancelled', target: ID }, job],
    [{ action: 'job.retried', target: `/export-jobs/${ID}/retry` }, job],
    [{ action: 'job.created', target: '/export-jobs', details: { job_id: ID } }, job],
    [{ action: 'failed-rows.downloaded', target: `/jobs/subscriber-imports/${ID}/failed-rows` }, job],
    [{ action: 'artifact.downloaded', target: `/downloads/${ID}/:token/x.csv` }, job],
    [
      { action: 'delivery.redelivered', target: ID },
      { kind: 'delivery', name: ID, path: `/console/deliveries/${ID}` },
    ],
    [{ action: 'operator.removed', target: ID }, operator],
    [{ action: 'link.created', target: ID }, operator],
    [{ action: 'session.revoked', target: 'a session', details: { operator_id: ID } }, operator],
    [{ action: 'passkey.removed', target: 'a passkey', details: { operator_id: ID } }, operator],
  ] as const)
    expect([entry, link(entry)]).toEqual([entry, expected]);
});

test('[CON70] an audit entry about something without a screen of its own: no link', () => {
  for (const entry of [
    { action: 'signed-in' },
    { action: 'operator.invited', target: 'Grace' },
    { action: 'subscriber.read', target: `/subscribers/${ID}` },
    { action: 'job.created', target: '/export-jobs' },
    { action: 'import.created', target: '/jobs/subscriber-imports' },
    { action: 'package.sealed', target: 'f'.repeat(64) },
  ])
    expect([entry, link(entry)]).toEqual([entry, null]);
});
