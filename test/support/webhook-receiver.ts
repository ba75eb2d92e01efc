import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestCertificate } from './certificates.ts';

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly port: number;
  /** Complete requests, in order of arrival. */
  readonly received: ReceivedRequest[];
}

type Answer = number | ((request: ReceivedRequest, response: ServerResponse) => void);

/** A real HTTPS receiver on loopback. The n-th request gets the n-th response; the last one repeats. */
export async function startReceiver(certificate: TestCertificate, ...answers: Answer[]): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer(certificate, async (message, response) => {
    const request = await readRequest(message);
    received.push(request);
    const answer = answers[Math.min(received.length, answers.length) - 1] ?? 200;
    if (typeof answer === 'number') response.writeHead(answer).end('ok');
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, received };
}

async function readRequest(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return { method: message.method, url: message.url, headers: message.headers, body: Buffer.concat(chunks) };
}
