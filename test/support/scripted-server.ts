import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Answers one request. `drop` closes the connection without a response. */
export type Reply = (received: Received, res: ServerResponse) => void | Promise<void>;

export const drop: Reply = (_received, res) => void res.destroy();
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (_received, res) =>
    void res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A server that answers the n-th request with the n-th reply, and further ones with the last. Stopped when the test ends. */
export async function startScriptedServer(...replies: readonly Reply[]) {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    const body = await buffer(req).catch(() => undefined);
    if (body === undefined) return;
    const request = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body };
    received.push(request);
    await replies[Math.min(received.length, replies.length) - 1]?.(request, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
