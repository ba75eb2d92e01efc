import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Answers of a name per record type: its addresses, or no response at all. */
export interface Zone {
  readonly [name: string]: {
    readonly A: readonly string[] | 'silence';
    readonly AAAA: readonly string[] | 'silence';
  };
}

const types = { 1: 'A', 28: 'AAAA' } as const;

/** Starts a DNS server on loopback (the part of RFC 1035 that one question needs). Returns its address. */
export async function startDnsServer(zone: Zone): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = parseQuestion(query);
    const records = type === undefined ? [] : (zone[name]?.[type] ?? 'unknown');
    if (records === 'silence') return;
    const answers = records === 'unknown' ? [] : records.map((record) => answer(record, type === 'AAAA'));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2); // id
    header.writeUInt16BE(records === 'unknown' ? 0x8183 : 0x8180, 2); // NXDOMAIN or NOERROR
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function parseQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA' | undefined; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = query.readUInt16BE(at + 1);
  const type = number === 1 || number === 28 ? types[number] : undefined;
  return { name: labels.join('.').toLowerCase(), type, question: query.subarray(12, at + 5) };
}

function answer(address: string, ipv6: boolean): Buffer {
  const data = ipv6 ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.from([0xc0, 12, 0, ipv6 ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length]); // TTL 0
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [front, back] = [groups(left), groups(right)];
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
  const bytes = Buffer.alloc(16);
  for (const [i, group] of all.entries()) bytes.writeUInt16BE(group, i * 2);
  return bytes;
}
