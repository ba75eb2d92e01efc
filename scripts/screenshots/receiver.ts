import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../../test/support/certificates.ts';

const HOST = 'hooks.example.com';

/** Starts a webhook receiver that accepts most deliveries, so that the screenshots show typical ones. */
export async function startDemoReceiver() {
  const authority = createAuthority();
  const server = createServer(authority.issue([HOST]), (request, response) => {
    request.resume();
    response.writeHead(request.url === '/busy' ? 503 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${HOST}:${port}`,
    allow: HOST,
    ca: authority.ca,
    resolve: async (name: string) => (name === HOST ? ['127.0.0.1'] : []),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
