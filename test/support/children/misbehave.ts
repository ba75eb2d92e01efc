/** A child that does what its input says, for tests of the resource limits. Plain TypeScript without project imports. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const parts: Buffer[] = [];
for await (const part of process.stdin) parts.push(part as Buffer);
const [what = '', argument = ''] = Buffer.concat(parts).toString('utf8').split(' ');

function attempt(action: () => void): string {
  try {
    action();
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed';
  }
}

switch (what) {
  case 'echo':
    process.stdout.write(JSON.stringify({ env: Object.keys(process.env), argument }));
    break;
  case 'spin':
    for (;;) parts.length = 0;
  case 'sleep':
    await new Promise((resolve) => setTimeout(resolve, 600_000));
    break;
  case 'eat': {
    const hoard: Buffer[] = [];
    // Buffers are allocated outside the heap that the flag limits.
    for (let megabytes = 0; megabytes < 4096; megabytes += 16) {
      hoard.push(Buffer.alloc(16_000_000, 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    break;
  }
  case 'hoard': {
    // Objects are allocated in the heap that the flag limits.
    const kept: object[] = [];
    for (;;) kept.push({ kept: kept.length });
  }
  case 'chatter':
    for (let line = 0; line < 10_000; line += 1) process.stdout.write('x'.repeat(10_000));
    break;
  case 'crash':
    throw new Error('as told');
  case 'trespass': {
    const port = Number(argument);
    const network = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve('done');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
    });
    process.stdout.write(
      JSON.stringify({
        write: attempt(() => writeFileSync('/tmp/rowpress-trespass', 'x')),
        spawn: attempt(() => execFileSync('true')),
        network,
      }),
    );
    break;
  }
  default:
    process.exit(9);
}
