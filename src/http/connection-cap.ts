import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '#lib/address-group.ts';
import { isAnswering } from './client-errors.ts';
import type { TrustsProxy } from './trusted-proxies.ts';

interface ConnectionCap {
  /** Open connections per client address; 0: no limit. */
  readonly max: number;
  readonly trusts: TrustsProxy;
}

interface Connection {
  readonly socket: Socket;
  /** The socket of the requests. With TLS it is not the same object as the connection. */
  carrier: Socket;
}

/**
 * Limits the open connections of a client address. At the limit a new connection replaces the oldest one that has no
 * request in progress, so a client that holds idle connections shuts out neither itself nor its neighbours behind the
 * same NAT. If all have one, the new connection is closed.
 */
export function capConnections(server: Server, { max, trusts }: ConnectionCap): void {
  if (max === 0) return;
  const byAddress = new Map<string, Map<string, Connection>>();

  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined || trusts(socket.remoteAddress, 0)) return;
    const [group, peer] = [addressGroup(socket.remoteAddress), peerOf(socket)];
    const open = byAddress.get(group) ?? new Map<string, Connection>();
    if (open.size >= max) {
      const idle = [...open].find(([, { carrier }]) => !isAnswering(carrier));
      if (idle === undefined) return void socket.destroy();
      open.delete(idle[0]);
      idle[1].socket.destroy();
    }
    byAddress.set(group, open.set(peer, { socket, carrier: socket }));
    socket.once('close', () => {
      if (open.get(peer)?.socket === socket) open.delete(peer);
      if (open.size === 0 && byAddress.get(group) === open) byAddress.delete(group);
    });
  });
  server.on('secureConnection', (socket: Socket) => {
    const connection = byAddress.get(addressGroup(socket.remoteAddress ?? ''))?.get(peerOf(socket));
    if (connection !== undefined) connection.carrier = socket;
  });
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
