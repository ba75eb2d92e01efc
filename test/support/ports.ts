import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Finds ports of loopback that nothing listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Waits until something listens on the port. `assertAlive` throws once that can no longer happen. */
export async function portOpens(port: number, assertAlive: () => void): Promise<void> {
  for (let i = 0; i < 1_200; i += 1) {
    assertAlive();
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port}`);
}
