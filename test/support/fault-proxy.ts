/**
 * An HTTP proxy on the loopback that injects the faults of a bad network, for tests of client libraries. A test imports
 * `startFaultProxy`, or runs this file in its own process:
 *
 *     npx node test/support/fault-proxy.ts --target http://127.0.0.1:8080 [--listen 0] [--seed 1] [--rate 0.3]
 *         [--faults refuse,cut-upload,…] [--streak 4] [--delay-ms 150] [--stall-ms 20000]
 *
 * It prints one line, `{"url":"http://127.0.0.1:PORT"}`, once it listens, and ends with SIGTERM or when its standard input
 * is closed. Control it over HTTP; control requests are never faulty:
 *
 *     GET /__faults    → {"requests":120,"unreachable":0,"counts":{"pass":80,"refuse":5,…},"settings":{…}}
 *     PUT /__faults    {"target":"http://127.0.0.1:9090","rate":0.5,"faults":["refuse"],"seed":2}  (any subset) → the same
 *
 * Faults, chosen per request by a seeded generator with the probability `rate`:
 *
 *     refuse         closes the connection before the server receives anything
 *     cut-upload     closes both connections after a part of the request body (a request without a body: like `refuse`)
 *     lose-response  delivers the request, discards the response and closes the connection
 *     late           closes the connection at once and delivers the request afterwards, possibly after its retry
 *     cut-response   closes the connection in the middle of the response
 *     stall          delivers the request and sends nothing until the client gives up (at most `stall-ms`)
 *     delay          delays the request and the response, `delay-ms` each at most
 *     duplicate      delivers the request twice, at once or one after the other, and returns the second response
 *
 * A client that retries is bound to succeed: after `streak` faults in a row, a request with the same method, path and key
 * (Idempotency-Key or X-Correlation-Id) passes. A server that does not accept connections is never hidden: the client's
 * connection is closed, and `unreachable` counts it.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

export const FAULTS = [
  'refuse',
  'cut-upload',
  'lose-response',
  'late',
  'cut-response',
  'stall',
  'delay',
  'duplicate',
] as const;
export type Fault = (typeof FAULTS)[number];
/** Faults after which the client has no response. */
const FATAL: ReadonlySet<Fault> = new Set(
  FAULTS.filter((fault) => fault !== 'delay' && fault !== 'duplicate'),
);

export interface FaultSettings {
  target: string;
  rate: number;
  faults: readonly Fault[];
  seed: number;
  streak: number;
  delayMs: number;
  stallMs: number;
}

export interface FaultReport {
  readonly requests: number;
  readonly unreachable: number;
  readonly counts: Readonly<Record<Fault | 'pass', number>>;
  readonly settings: Readonly<FaultSettings>;
}

export class FaultProxy {
  readonly #server: Server;
  readonly #settings: FaultSettings;
  readonly #counts = Object.fromEntries(['pass', ...FAULTS].map((name) => [name, 0])) as Record<
    Fault | 'pass',
    number
  >;
  readonly #streaks = new Map<string, number>();
  #random: () => number;
  #unreachable = 0;

  constructor(settings: Partial<FaultSettings> & Pick<FaultSettings, 'target'>) {
    this.#settings = {
      rate: 0.3,
      faults: FAULTS,
      seed: 1,
      streak: 4,
      delayMs: 150,
      stallMs: 20_000,
      ...settings,
    };
    this.#random = generator(this.#settings.seed);
    this.#server = createServer((req, res) => {
      // Node detaches the socket from a request whose body is abandoned.
      const { socket } = req;
      // A failure of one exchange, such as a client that disconnected, ends that exchange only.
      this.#serve(req, res, socket).catch(() => socket.destroy());
    });
    // Clients break connections too.
    this.#server.on('clientError', (_error, socket) => socket.destroy());
    this.#server.requestTimeout = 0;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  change(settings: Partial<FaultSettings>): void {
    Object.assign(this.#settings, settings);
    if (settings.seed !== undefined) this.#random = generator(settings.seed);
  }

  report(): FaultReport {
    const requests = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    return { requests, unreachable: this.#unreachable, counts: this.#counts, settings: this.#settings };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(req: IncomingMessage, res: ServerResponse, socket: Socket): Promise<void> {
    if (req.url === '/__faults') {
      if (req.method === 'PUT') this.change(JSON.parse((await buffer(req)).toString()));
      res.setHeader('content-type', 'application/json').end(JSON.stringify(this.report()));
      return;
    }
    const fault = this.#choose(req);
    this.#counts[fault] += 1;
    switch (fault) {
      case 'refuse':
        return void socket.resetAndDestroy();
      case 'cut-upload':
        return this.#cutUpload(req, socket);
      case 'late': {
        const body = await buffer(req);
        socket.destroy();
        await this.#pause();
        return void (await this.#send(req, body).then(drain));
      }
      case 'duplicate': {
        const body = await buffer(req);
        const first = this.#send(req, body).then(drain);
        // A failure of the first copy belongs to the network; the client receives the second response.
        first.catch(() => {});
        if (this.#random() < 0.5) await first;
        return this.#answer(await this.#send(req, body), res);
      }
      case 'delay':
        await this.#pause();
        break;
      default:
    }
    const upstream = this.#open(req);
    res.once('close', () => upstream.destroy());
    req.pipe(upstream);
    const response = await this.#responseOf(upstream);
    if (fault === 'lose-response' || fault === 'stall') {
      // The server has done its work once the response is complete.
      await drain(response);
      if (fault === 'stall') await sleep(this.#settings.stallMs, undefined, { signal: closing(res) });
      return void socket.destroy();
    }
    if (fault === 'cut-response') return this.#cutResponse(response, res, socket);
    if (fault === 'delay') await this.#pause();
    return this.#answer(response, res);
  }

  #choose(req: IncomingMessage): Fault | 'pass' {
    const { headers } = req;
    const key = headers['idempotency-key'] ?? headers['x-correlation-id'] ?? headers.range ?? '';
    const identity = `${req.method} ${req.url} ${key}`;
    const streak = this.#streaks.get(identity) ?? 0;
    const { faults, rate } = this.#settings;
    const chosen =
      faults.length > 0 && streak < this.#settings.streak && this.#random() < rate
        ? (faults[Math.floor(this.#random() * faults.length)] as Fault)
        : 'pass';
    if (chosen !== 'pass' && FATAL.has(chosen)) this.#streaks.set(identity, streak + 1);
    else this.#streaks.delete(identity);
    return chosen;
  }

  /** Sends a part of the body and closes both sides. */
  async #cutUpload(req: IncomingMessage, socket: Socket): Promise<void> {
    const declared = Number(req.headers['content-length'] ?? 0);
    const chunked = req.headers['transfer-encoding'] !== undefined;
    if (declared === 0 && !chunked) return void socket.resetAndDestroy();
    const limit = Math.floor(this.#random() * (declared === 0 ? 65_536 : declared));
    const upstream = this.#open(req);
    upstream.on('error', () => {});
    // Without a write, nothing of the request would leave this process.
    upstream.flushHeaders();
    let sent = 0;
    for await (const chunk of req as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, limit - sent);
      sent += part.length;
      await new Promise<void>((resolve) => upstream.write(part, () => resolve()));
      if (sent >= limit) break;
    }
    upstream.destroy();
    socket.destroy();
  }

  async #cutResponse(response: IncomingMessage, res: ServerResponse, socket: Socket): Promise<void> {
    const declared = Number(response.headers['content-length'] ?? 0);
    const limit = Math.floor(this.#random() * (declared === 0 ? 2048 : declared));
    copyHead(response, res);
    res.flushHeaders();
    let sent = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, limit - sent);
      sent += part.length;
      if (part.length > 0) await new Promise<void>((resolve) => res.write(part, () => resolve()));
      if (sent >= limit) break;
    }
    response.destroy();
    socket.destroy();
  }

  #answer(response: IncomingMessage, res: ServerResponse): void {
    copyHead(response, res);
    res.flushHeaders();
    response.on('error', () => res.destroy());
    response.on('aborted', () => res.destroy());
    response.pipe(res);
  }

  #open(req: IncomingMessage) {
    const { target } = this.#settings;
    return request(new URL(req.url ?? '/', target), {
      method: req.method ?? 'GET',
      headers: forwarded(req),
      agent: false,
    });
  }

  #responseOf(upstream: ReturnType<typeof request>): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      upstream.once('response', resolve);
      upstream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') this.#unreachable += 1;
        reject(error);
      });
    });
  }

  #send(req: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const upstream = this.#open(req);
    const response = this.#responseOf(upstream);
    upstream.end(body);
    return response;
  }

  #pause(): Promise<void> {
    return sleep(this.#random() * this.#settings.delayMs);
  }
}

export async function startFaultProxy(
  settings: Partial<FaultSettings> & Pick<FaultSettings, 'target'>,
  port = 0,
): Promise<FaultProxy> {
  const proxy = new FaultProxy(settings);
  await proxy.listen(port);
  return proxy;
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'proxy-connection', 'upgrade']);

function forwarded(message: IncomingMessage): string[] {
  const kept: string[] = [];
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = message.rawHeaders.slice(at, at + 2);
    if (!HOP_BY_HOP.has(name.toLowerCase())) kept.push(name, value);
  }
  // A body of unknown length keeps its framing; Node adds none to raw header lists.
  if (message.method !== undefined && message.headers['transfer-encoding'] !== undefined)
    kept.push('Transfer-Encoding', 'chunked');
  return kept;
}

function copyHead(response: IncomingMessage, res: ServerResponse): void {
  res.writeHead(response.statusCode ?? 502, forwarded(response));
}

async function drain(response: IncomingMessage): Promise<void> {
  await buffer(response);
}

function closing(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}

/** mulberry32: small, fast, and the same sequence everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: 'string' },
      listen: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      rate: { type: 'string', default: '0.3' },
      faults: { type: 'string', default: FAULTS.join(',') },
      streak: { type: 'string', default: '4' },
      'delay-ms': { type: 'string', default: '150' },
      'stall-ms': { type: 'string', default: '20000' },
    },
  });
  if (values.target === undefined) throw new Error('--target is required: the URL of the server.');
  const faults = values.faults.split(',').filter((name) => name !== '') as Fault[];
  const unknown = faults.find((name) => !FAULTS.includes(name));
  if (unknown !== undefined) throw new Error(`--faults: "${unknown}" is not one of ${FAULTS.join(', ')}.`);
  const proxy = await startFaultProxy(
    {
      target: values.target,
      faults,
      seed: Number(values.seed),
      rate: Number(values.rate),
      streak: Number(values.streak),
      delayMs: Number(values['delay-ms']),
      stallMs: Number(values['stall-ms']),
    },
    Number(values.listen),
  );
  console.log(JSON.stringify({ url: proxy.url }));
  const end = () => process.exit(0);
  process.once('SIGTERM', end);
  process.stdin.on('end', end).resume();
}

if (import.meta.main) await main();
