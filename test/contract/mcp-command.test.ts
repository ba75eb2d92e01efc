import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ROWPRESS, rowpress } from '../support/cli.ts';
import { McpClient } from '../support/mcp-client.ts';

/** The address of a server that has stopped. */
async function nowhere(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}`;
}

test('[MCP16] rowpress mcp without a server or a key: exit code 2, and the message says what to set', async () => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [[], { ROWPRESS_API_KEY: 'k' }, /Pass --server URL, or set ROWPRESS_SERVER/],
    [['--server', 'localhost:8080'], { ROWPRESS_API_KEY: 'k' }, /must be an http or https URL/],
    [[], { ROWPRESS_SERVER: 'http://127.0.0.1:8080' }, /Set ROWPRESS_API_KEY/],
  ];
  const runs = await Promise.all(cases.map(([args, env]) => rowpress(['mcp', ...args], env)));
  for (const [index, { code, stdout, stderr }] of runs.entries()) {
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(cases[index]?.[2] ?? /never/);
  }
});

test('[MCP16] a server that cannot be reached: a tool error that can be retried with the same key', async () => {
  const server = await nowhere();
  const agent = await McpClient.stdio(server, 'key');
  expect(await agent.refused('list_projects')).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    message: `Cannot reach ${server}: ECONNREFUSED.`,
    retry: 'same-key',
  });
  await agent.close();
});

test('[MCP16] standard input that closes: the command ends, and standard output has only messages', async () => {
  const child = spawn(ROWPRESS, ['mcp', '--server', 'http://127.0.0.1:8080'], {
    env: { PATH: process.env.PATH ?? '', ROWPRESS_API_KEY: 'key' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  child.stdin.end('not json\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  expect(stderr).toMatch(/^rowpress: /);
});
