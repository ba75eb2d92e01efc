import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { webhookHeaders } from '#engine/webhooks/webhook-scheme.ts';
import { schemeNamed } from './product.ts';

const guide = readFileSync(new URL('../../docs/guides/receive-webhooks.md', import.meta.url), 'utf8');

/** A program of docs/guides/receive-webhooks.md, as it is printed there. */
export function guideProgram(name: string): string {
  const marked = new RegExp(`<!-- run: ${name} -->\\s+\`\`\`\\w+\n(?<code>[\\s\\S]*?)\`\`\``);
  const code = marked.exec(guide)?.groups?.code;
  if (code === undefined) throw new Error(`the guide has no program "${name}"`);
  return code;
}

export interface RunningReceiver {
  readonly url: string;
  /** The next line that it prints; undefined once it has ended. */
  line(): Promise<string | undefined>;
  stop(): void;
}

/** Starts a receiver that prints its port, and then a line for each new event. */
export async function startGuideReceiver(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningReceiver> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  // `go run` starts the program as its own child.
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };
  onTestFinished(stop);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value as string | undefined;
  const port = /^port (\d+)$/.exec((await line()) ?? '')?.[1];
  if (port === undefined) throw new Error('the receiver did not start');
  return { url: `http://127.0.0.1:${port}`, line, stop };
}

const keyOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
const [current, older, other] = [
  keyOf('the new key'),
  keyOf('the older key'),
  keyOf('of someone else'),
] as const;
const SCHEMES = [
  ['/bulkfill', 'bulkfill'],
  ['/subscribers', 'standard'],
  ['/ingest', 'ingest'],
] as const;

/** Posts genuine, forged, old and repeated deliveries of all surfaces to a receiver that has two secrets. */
export async function judgeReceiver(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const receiver = await startGuideReceiver(command, args, {
    ...env,
    WEBHOOK_SECRETS: `${current} ${older}`,
  });
  const bodyOf = (scheme: string) =>
    Buffer.from(JSON.stringify({ event_id: `evt-${scheme}`, type: `${scheme}.completed`, note: 'grüße ✓' }));
  const sign = (scheme: string, secrets: readonly string[], at = new Date()) =>
    webhookHeaders(schemeNamed(scheme), {
      eventId: `evt-${scheme}`,
      type: `${scheme}.completed`,
      at,
      body: bodyOf(scheme),
      secrets,
    });
  const post = async (path: string, headers: Readonly<Record<string, string>>, body: Buffer) =>
    (await fetch(receiver.url + path, { method: 'POST', headers, body: new Uint8Array(body) })).status;

  for (const [path, scheme] of SCHEMES) {
    const body = bodyOf(scheme);
    const headers = sign(scheme, [current]);
    expect(await post(path, sign(scheme, [other]), body), `${path}, another secret`).toBe(401);
    expect(await post(path, headers, Buffer.from(`${body} `)), `${path}, a changed body`).toBe(401);
    const old = new Date(Date.now() - 302_000);
    expect(await post(path, sign(scheme, [current], old), body), `${path}, an old delivery`).toBe(401);
    const withoutTime = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !/timestamp/.test(name)),
    );
    expect(await post(path, withoutTime, body), `${path}, without a time`).toBe(401);
    expect(await post('/elsewhere', headers, body)).toBe(401);
    expect(await post(path, headers, body), `${path}, genuine`).toBe(204);
    expect(await post(path, sign(scheme, [older]), body), `${path}, the older secret`).toBe(204);
    expect(await receiver.line()).toBe(`new event ${scheme}.completed`);
  }
  // The server has a newer secret than the receiver.
  expect(await post('/subscribers', sign('standard', [other, older]), bodyOf('standard'))).toBe(204);
  expect(await post('/ingest', sign('ingest', [other, older]), bodyOf('ingest'))).toBe(204);
  const untimed = Object.fromEntries(
    Object.entries(sign('ingest', [current])).filter(([name]) => !/-v2/.test(name)),
  );
  expect(await post('/ingest', untimed, bodyOf('ingest')), 'only the untimed signature').toBe(401);
  receiver.stop();
  expect(await receiver.line(), 'each event was counted once').toBeUndefined();
}
