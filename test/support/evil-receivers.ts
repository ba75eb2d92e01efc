import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { createAuthority, type TestCertificate } from './certificates.ts';
import { authority, certificate } from './webhooks.ts';

/**
 * Receivers that each misbehave in one way. `answered` is the status that counts although the rest of the response
 * never arrives; otherwise `failure` is the start of the attempt's record.
 */
export interface EvilReceiver {
  readonly kind: string;
  /** True if the receiver holds the attempt until the timeout. */
  readonly hangs: boolean;
  readonly answered?: number;
  readonly failure?: RegExp;
  start(): Promise<RunningReceiver>;
}

export interface RunningReceiver {
  readonly port: number;
  close(): Promise<void>;
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
const filler = Buffer.alloc(16_384, 'x');
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

export const evilReceivers: readonly EvilReceiver[] = [
  { kind: 'hang before accept', hangs: true, failure: /^timeout/, start: neverAccepts },
  { kind: 'hang before the handshake', hangs: true, failure: /^timeout/, start: () => plain(() => {}) },
  { kind: 'hang after the request', hangs: true, failure: /^timeout/, start: () => secure(() => {}) },
  {
    kind: 'hang after the headers',
    hangs: false,
    answered: 200,
    start: () => secure((socket) => socket.write(`${HEAD}content-length: 100\r\n\r\n`)),
  },
  {
    kind: 'hang after the headers of a 500',
    hangs: false,
    failure: /^answered 500/,
    start: () => secure((socket) => socket.write('HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n')),
  },
  {
    kind: 'drip the body',
    hangs: false,
    answered: 200,
    start: () => secure((socket) => drip(socket, `${HEAD}content-length: 100000\r\n\r\n`, 'x')),
  },
  {
    kind: 'drip the headers',
    hangs: true,
    failure: /^timeout/,
    start: () => secure((socket) => drip(socket, `${HEAD}x-slow: `, 'x')),
  },
  {
    kind: 'huge body',
    hangs: false,
    answered: 200,
    start: () => secure((socket) => flood(socket, `${HEAD}content-length: 100000000000\r\n\r\n`, filler)),
  },
  {
    kind: 'huge headers',
    hangs: false,
    failure: /^broken answer/,
    start: () => secure((socket) => flood(socket, `${HEAD}x-long: `, filler)),
  },
  {
    kind: 'headers without end',
    hangs: false,
    failure: /^broken answer/,
    start: () => secure((socket) => flood(socket, HEAD, Buffer.from('x-more: and more\r\n'.repeat(500)))),
  },
  {
    kind: 'informational answers without end',
    hangs: false,
    failure: /^broken answer/,
    start: () =>
      secure((socket) => flood(socket, '', Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)))),
  },
  {
    kind: 'chunk extension without end',
    hangs: false,
    answered: 200,
    start: () => secure((socket) => flood(socket, `${HEAD}transfer-encoding: chunked\r\n\r\n1;`, filler)),
  },
  {
    kind: 'gzip bomb',
    hangs: false,
    answered: 200,
    start: () =>
      secure((socket) => {
        socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
      }),
  },
  {
    kind: 'not HTTP',
    hangs: false,
    failure: /^broken answer/,
    start: () => secure((s) => s.write('SSH-2.0-x\r\n')),
  },
  {
    kind: 'close without an answer',
    hangs: false,
    failure: /^broken answer/,
    start: () => secure((s) => s.end()),
  },
  {
    kind: 'connection reset',
    hangs: false,
    failure: /^(tls|unreachable)/,
    start: () => plain((s) => s.resetAndDestroy()),
  },
  {
    kind: 'plain text on the TLS port',
    hangs: false,
    failure: /^tls/,
    start: () => plain((socket) => socket.write(`${HEAD}\r\n`)),
  },
  {
    kind: 'self-signed certificate',
    hangs: false,
    failure: /^tls/,
    start: () => accepting(createAuthority().issue(['hooks.test'])),
  },
  {
    kind: 'certificate of another name',
    hangs: false,
    failure: /^tls/,
    start: () => accepting(authority.issue(['other.test'])),
  },
  {
    kind: 'expired certificate',
    hangs: false,
    failure: /^tls/,
    start: () => accepting(authority.issue(['hooks.test'], '20250101000000Z')),
  },
];

/** Responds with 200 to every client that completes its TLS handshake. */
function accepting(shown: TestCertificate): Promise<RunningReceiver> {
  return secure((socket) => socket.write(`${HEAD}content-length: 0\r\n\r\n`), shown);
}

function plain(behave: (socket: Socket) => void): Promise<RunningReceiver> {
  return listen(createServer(), 'connection', behave);
}

/** Starts to respond once the first bytes of the request have arrived. */
function secure(behave: (socket: TLSSocket) => void, shown = certificate): Promise<RunningReceiver> {
  return listen(createTlsServer(shown), 'secureConnection', (socket) =>
    socket.once('data', () => behave(socket as TLSSocket)),
  );
}

async function listen(
  server: Server,
  event: 'connection' | 'secureConnection',
  behave: (socket: Socket) => void,
): Promise<RunningReceiver> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // The other side is expected to reset these connections.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  server.on('connection', keep);
  server.on('tlsClientError', () => {});
  server.on(event, (socket: Socket) => {
    keep(socket);
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function drip(socket: Socket, head: string, drop: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(drop), 50);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket, head: string, again: Buffer): void {
  socket.write(head);
  const pour = () => {
    while (!socket.destroyed && socket.write(again));
  };
  socket.on('drain', pour);
  pour();
}

/** A thread that listens and then blocks forever: the kernel completes connections that are never accepted. */
async function neverAccepts(): Promise<RunningReceiver> {
  const source = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen(0, '127.0.0.1', () => {
      parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`;
  const worker = new Worker(source, { eval: true });
  const [port] = await once(worker, 'message');
  return { port, close: async () => void (await worker.terminate()) };
}
