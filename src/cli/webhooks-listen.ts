import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  getScheme,
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookScheme,
} from '#engine/webhooks/webhook-scheme.ts';
import { systemClock } from '#lib/clock.ts';
import { schemesOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';

const schemes = schemesOf(surfaces);

/**
 * `rowpress webhooks listen`: a receiver for trying out webhooks. It verifies every delivery, prints it, and responds
 * with the given status. Deliveries go to stdout, everything else to stderr.
 */
interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: readonly string[];
  /** A name, or `auto`. */
  readonly scheme: string;
  readonly status: number;
  readonly cert?: string;
  readonly key?: string;
  readonly count?: number;
  readonly json?: boolean;
}

/** One line of `--json`. `verified` is null if no secret was given. */
interface Received {
  readonly received_at: string;
  readonly path: string;
  readonly scheme: string | null;
  readonly event: string | null;
  readonly event_id: string | null;
  /** The same event id was received before, as in retries. */
  readonly repeated: boolean;
  readonly verified: boolean | null;
  readonly reason: string | null;
  readonly answered: number;
  readonly body: string;
}

const MAX_BODY_BYTES = 1_000_000;

export function webhooksCommand(): Command {
  const listenCommand = new Command('listen')
    .description('Receive webhooks on this machine, verify their signatures and print them')
    .option('--host <address>', 'Address to listen on', '127.0.0.1')
    .option('--port <number>', 'Port to listen on; 0 chooses a free one', wholeNumber(0, 65_535), 9080)
    .option('--secret <secret>', 'Webhook secret to verify with (repeatable)', collect, [])
    .addOption(
      new Option('--scheme <scheme>', 'Signature scheme to verify')
        .choices(['auto', ...schemes.keys()])
        .default('auto'),
    )
    .option('--status <code>', 'Status to return for verified deliveries', wholeNumber(200, 599), 200)
    .option('--cert <file>', 'Certificate (PEM) to listen with TLS')
    .option('--key <file>', 'Private key (PEM) of the certificate')
    .option('--count <number>', 'Stop after this many deliveries', wholeNumber(1, 1_000_000))
    .option('--json', 'Print one JSON object per line')
    .action(async (options: ListenOptions, command: Command) => {
      if ((options.cert === undefined) !== (options.key === undefined))
        command.error('error: --cert and --key must be used together', { exitCode: 2 });
      await listen(options);
    });
  return new Command('webhooks').description('Tools for webhook receivers').addCommand(listenCommand);
}

/** Ends after an interrupt or after `count` deliveries. Exit code 1 if any delivery did not verify. */
async function listen(options: ListenOptions): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const seen = new Set<string>();
  let left = options.count ?? Number.POSITIVE_INFINITY;
  const server = newServer(options, async (request, response) => {
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413).end();
    const received = examine(request, body, options, seen);
    print(received, options.json === true);
    if (received.verified === false) process.exitCode = 1;
    left -= 1;
    response.writeHead(received.answered, { connection: 'close' }).end(() => left <= 0 && end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  const scheme = options.cert === undefined ? 'http' : 'https';
  console.error(`Listening on ${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`);
  if (options.secret.length === 0) console.error('No --secret given: signatures are not verified.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  await ended;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function newServer({ cert, key }: ListenOptions, handle: Handle): Server {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      console.error(`Cannot read a request: ${error instanceof Error ? error.message : error}`);
      response.destroy();
    });
  };
  if (cert === undefined || key === undefined) return createServer(listener);
  return createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, listener);
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function examine(
  request: IncomingMessage,
  body: Buffer,
  options: ListenOptions,
  seen: Set<string>,
): Received {
  const headers = singleValues(request);
  const received = { headers, body };
  const scheme = options.scheme === 'auto' ? findScheme(received) : getScheme(schemes, options.scheme);
  const eventId = firstHeader(headers, ({ eventIdHeader }) => eventIdHeader);
  const repeated = eventId !== null && seen.has(eventId);
  if (eventId !== null) seen.add(eventId);
  const problem = options.secret.length === 0 ? undefined : problemWith(received, scheme, options.secret);
  return {
    received_at: systemClock.now().toISOString(),
    path: request.url ?? '',
    scheme: scheme?.name ?? null,
    event: firstHeader(headers, ({ eventHeader }) => eventHeader) ?? eventOf(body),
    event_id: eventId,
    repeated,
    verified: options.secret.length === 0 ? null : problem === undefined,
    reason: problem ?? null,
    answered: problem === undefined ? options.status : 401,
    body: body.toString(),
  };
}

/** The first scheme whose signature header is present; a delivery may carry two. */
function findScheme({ headers }: ReceivedWebhook): WebhookScheme | undefined {
  return [...schemes.values()].find(({ signatureHeader }) => headers[signatureHeader] !== undefined);
}

function firstHeader(
  headers: ReceivedWebhook['headers'],
  nameOf: (scheme: WebhookScheme) => string | undefined,
): string | null {
  const names = [...schemes.values()].map(nameOf);
  return names.map((name) => name && headers[name]).find((value) => value !== undefined) ?? null;
}

function problemWith(
  received: ReceivedWebhook,
  scheme: WebhookScheme | undefined,
  secrets: readonly string[],
): string | undefined {
  if (scheme === undefined) return 'no signature header of a known scheme';
  const verdicts = secrets.map((secret) => verifyWebhook(scheme, received, secret, systemClock.now()));
  if (verdicts.some((verdict) => verdict.ok)) return undefined;
  const [first] = verdicts;
  return first?.ok === false ? first.reason : undefined;
}

function singleValues(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(', ')]);
  return Object.fromEntries(entries);
}

/** Schemes without an event header have it in the body. */
function eventOf(body: Buffer): string | null {
  try {
    const json: unknown = JSON.parse(body.toString());
    const { event, type } = Object(json) as Record<string, unknown>;
    const name = event ?? type;
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

function print(received: Received, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify(received));
    return;
  }
  const { verified, reason, repeated, answered } = received;
  const signature = verified === null ? 'not verified' : verified ? 'signature ok' : `REFUSED: ${reason}`;
  const event = `${received.event ?? 'unknown event'}  ${received.event_id ?? 'no event id'}`;
  const lines = [
    `${received.received_at}  ${event}`,
    `  ${signature}${repeated ? ', seen before' : ''}; answered ${answered}`,
    `  ${received.body}`,
  ];
  for (const line of lines) console.log(withoutControls(line));
}

/** Removes control characters, so that untrusted input cannot control the terminal. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const n = Number(text);
    if (!/^\d+$/.test(text) || n < min || n > max)
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    return n;
  };
}

function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}
