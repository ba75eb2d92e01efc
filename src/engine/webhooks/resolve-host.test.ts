import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import { systemResolver } from './resolve-host.ts';

const patience = () => AbortSignal.timeout(20_000);

function hostsFile(content: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'rp-hosts-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'hosts');
  writeFileSync(path, content);
  return path;
}

test('[WHK6] the hosts file: comes first, and all its addresses count', async () => {
  const resolve = systemResolver({
    hostsFile: hostsFile(
      '# head\n10.1.2.3\tA.corp.example b.corp.example # here\nfd00::1 b.corp.example\n\n',
    ),
  });
  expect(await resolve('a.corp.example', patience())).toEqual(['10.1.2.3']);
  expect(await resolve('b.corp.example', patience())).toEqual(['10.1.2.3', 'fd00::1']);
});

test('[WHK4] localhost and names below it: loopback without a query', async () => {
  const resolve = systemResolver({ hostsFile: hostsFile('8.8.8.8 localhost\n') });
  expect(await resolve('localhost', patience())).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('a.localhost', patience())).toEqual(['127.0.0.1', '::1']);
});

test('[WHK6] a name without a response, or an aborted signal: no address', async () => {
  const resolve = systemResolver({ hostsFile: hostsFile('') });
  // RFC 6761 reserves `.invalid`; without any DNS server the result is the same.
  expect(await resolve('nothing.invalid', AbortSignal.timeout(500))).toEqual([]);
  expect(await resolve('nothing.invalid', AbortSignal.abort())).toEqual([]);
});

test('[WHK6] DNS: all addresses of both families', async () => {
  const dns = await startDnsServer({ 'both.example.com': { A: ['10.0.0.1', '8.8.8.8'], AAAA: ['fd00::1'] } });
  const resolve = systemResolver({ hostsFile: hostsFile(''), servers: [dns] });
  const addresses = await resolve('both.example.com', patience());
  expect([...addresses].sort()).toEqual(['10.0.0.1', '8.8.8.8', 'fd00::1']);
  expect(await resolve('unknown.example.com', patience())).toEqual([]);
});

test('[WHK6] DNS: one family never responds: the other is still used', async () => {
  const dns = await startDnsServer({ 'half.example.com': { A: ['10.0.0.1'], AAAA: 'silence' } });
  const resolve = systemResolver({ hostsFile: hostsFile(''), servers: [dns] });
  expect(await resolve('half.example.com', patience())).toEqual(['10.0.0.1']);
});

test('[WHK6] DNS: a server never responds: the query ends when the signal is aborted', async () => {
  const dns = await startDnsServer({ 'mute.example.com': { A: 'silence', AAAA: 'silence' } });
  const resolve = systemResolver({ hostsFile: hostsFile(''), servers: [dns] });
  expect(await resolve('mute.example.com', AbortSignal.timeout(100))).toEqual([]);
});
