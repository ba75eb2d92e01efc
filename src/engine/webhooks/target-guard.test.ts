import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostAllowList, parseHostAllowList } from '#lib/host-allow-list.ts';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import {
  acceptedTargets,
  closedAnswers,
  refusedAddresses,
  refusedForms,
} from '../../../test/support/webhook-targets.ts';
import { postWebhook } from './post-webhook.ts';
import { systemResolver } from './resolve-host.ts';
import { type JudgedTarget, judgeResolution, judgeTarget } from './target-guard.ts';

const none = allowing();
let listener: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  // Counts connections to this machine, on all its addresses.
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  port = (listener.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => listener.close(resolve)));

function allowing(...entries: string[]): HostAllowList {
  const parsed = parseHostAllowList(entries);
  if (!parsed.ok) throw new Error(`bug: ${parsed.problems.join()}`);
  return parsed.list;
}

function post(url: string, answers: readonly string[], allow = none) {
  const request = { url, headers: {}, body: Buffer.from('{}') };
  const resolve = async () => answers;
  return postWebhook(request, { allow, resolve, timeoutMs: 5_000 });
}

function target(url: string, allow = none): JudgedTarget {
  const verdict = judgeTarget(url, allow);
  if (!verdict.ok) throw new Error(`${url} was refused: ${verdict.reason}`);
  return verdict.target;
}

test('[WHK3] the table of rejected targets: has the stated length', () => {
  expect(new Set([...refusedAddresses, ...refusedForms]).size).toBeGreaterThanOrEqual(500);
  expect(acceptedTargets.length).toBeGreaterThanOrEqual(40);
});

test('[WHK1] [WHK2] malformed, non-https, userinfo and credential targets: rejected', () => {
  const accepted = refusedForms.filter((url) => judgeTarget(url, none).ok);
  expect(accepted).toEqual([]);
});

test('[WHK3] [WHK4] every spelling of a non-public address or local name: rejected', () => {
  const accepted = refusedAddresses.filter((url) => judgeTarget(url.replace('PORT', '443'), none).ok);
  expect(accepted).toEqual([]);
});

test.each(acceptedTargets)('[WHK1] [WHK3] accepted: %s', (url) => {
  expect(judgeTarget(url, none)).toMatchObject({ ok: true });
});

test('[WHK7] rejected targets: receive nothing, 0 connections', async () => {
  const before = connections;
  for (const url of [...refusedAddresses, ...refusedForms]) {
    const result = await post(url.replace('PORT', String(port)), ['127.0.0.1']);
    expect(result, url).toMatchObject({ ok: false, bytesRead: 0 });
    expect(result.ok === false && result.error, url).toMatch(/^target refused: /);
  }
  expect(connections - before).toBe(0);
});

test('[WHK7] names that resolve to a non-public address: no connection at any attempt', async () => {
  const before = connections;
  for (const answer of closedAnswers) {
    const url = `https://rebind.example.com:${port}/`;
    for (const answers of [[answer], ['8.8.8.8', answer], [answer, '2606:4700:4700::1111']]) {
      const result = await post(url, answers);
      expect(result, answers.join()).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^target refused/),
      });
    }
  }
  expect(connections - before).toBe(0);
});

test('[WHK7] a name that changes its address after the check: the new address is not used', async () => {
  const before = connections;
  const answers = [['8.8.8.8'], ['127.0.0.1']];
  let asked = 0;
  const resolve = async () => answers[asked++] ?? ['127.0.0.1'];
  const url = `https://rebind.example.com:${port}/`;
  expect(await judgeResolution(target(url), { resolve })).toMatchObject({ ok: true });
  const result = await postWebhook(
    { url, headers: {}, body: Buffer.from('{}') },
    { allow: none, resolve, timeoutMs: 5_000 },
  );
  expect(result).toMatchObject({ ok: false, error: expect.stringContaining('127.0.0.1 is loopback') });
  expect(asked).toBe(2);
  expect(connections - before).toBe(0);
});

test('[WHK7] a real DNS server that changes its response after the check: the new address is not used', async () => {
  const before = connections;
  const records = { A: ['8.8.8.8'], AAAA: [] };
  const dns = await startDnsServer({ 'rebind.example.com': records });
  const resolve = systemResolver({ servers: [dns] });
  const url = `https://rebind.example.com:${port}/`;
  expect(await judgeResolution(target(url), { resolve })).toMatchObject({ ok: true });
  records.A = ['127.0.0.1'];
  const attempt = () =>
    postWebhook({ url, headers: {}, body: Buffer.from('{}') }, { allow: none, resolve, timeoutMs: 5_000 });
  expect(await attempt()).toMatchObject({ ok: false, error: expect.stringMatching(/^target refused: /) });
  expect(await judgeResolution(target(url), { resolve })).toMatchObject({ ok: false });
  expect(connections - before).toBe(0);
});

test('[WHK5] the allow-list: lifts the address rule for that host and port only', async () => {
  const here = `127.0.0.1:${port}`;
  const before = connections;
  await post(`https://${here}/`, [], allowing(here));
  await post(`https://hooks.corp.example:${port}/`, ['127.0.0.1'], allowing('hooks.corp.example'));
  await post(`https://localhost:${port}/`, ['127.0.0.1'], allowing(`localhost:${port}`));
  expect(connections - before).toBe(3);
  expect(judgeTarget('https://[::1]:8443/', allowing('[::1]'))).toMatchObject({ ok: true });

  const elsewhere = await post(`https://${here}/`, [], allowing(`127.0.0.1:${port + 1}`, 'localhost'));
  expect(elsewhere).toMatchObject({ ok: false, error: expect.stringMatching(/^target refused/) });
  expect(connections - before).toBe(3);
});

test.each(['http://HOST/', 'https://u@HOST/', 'https://HOST/?token=1', 'https://HOST/ x'])(
  '[WHK5] the allow-listed target %s: all other rules still apply',
  (form) => {
    expect(judgeTarget(form.replace('HOST', '10.0.0.5'), allowing('10.0.0.5')).ok).toBe(false);
  },
);

test('[WHK6] at create: any non-public address is rejected; a name without a response is accepted', async () => {
  const subject = target('https://hooks.example.com/');
  const judge = (answers: readonly string[]) => judgeResolution(subject, { resolve: async () => answers });
  expect(await judge(['8.8.8.8', '10.0.0.1'])).toMatchObject({ ok: false });
  expect(await judge(['fd00::1'])).toMatchObject({ ok: false });
  expect(await judge(['8.8.8.8'])).toMatchObject({ ok: true });
  expect(await judge([])).toMatchObject({ ok: true });
  const silent = () => new Promise<never>(() => {});
  expect(await judgeResolution(subject, { resolve: silent, limitMs: 20 })).toMatchObject({ ok: true });
});

test('[WHK6] a literal or an allow-listed name: not resolved at create', async () => {
  const resolve = () => Promise.reject(new Error('bug: resolved'));
  const literal = target('https://8.8.8.8/');
  const exempt = target('https://hooks.corp.example/', allowing('hooks.corp.example'));
  expect(await judgeResolution(literal, { resolve })).toMatchObject({ ok: true });
  expect(await judgeResolution(exempt, { resolve })).toMatchObject({ ok: true });
});
