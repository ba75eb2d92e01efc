/**
 * `npm run test:soak [rounds]`: repeats the suites that kill, suspend, race and generate input, each round with a new
 * seed. A failure prints its seed; set `ROWPRESS_TEST_SEED=<seed>` to replay it.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const rounds = Number(process.argv[2] ?? 20);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`rounds must be an integer from 1; received ${process.argv[2]}`);
  process.exit(2);
}

const SUITES = [
  ['--project=crash'],
  ['--project=fuzz'],
  ['--project=contract', 'model', 'concurrency', 'idempotency', 'exports', 'two-nodes'],
];

let failed = 0;
for (let round = 1; round <= rounds; round += 1) {
  const seed = randomInt(2 ** 31);
  console.error(`— round ${round} of ${rounds}, seed ${seed}`);
  for (const suite of SUITES) {
    const env = { ...process.env, ROWPRESS_TEST_SEED: String(seed), FUZZ_RUNS: '5000' };
    const { status } = spawnSync('vitest', ['run', '--reporter=dot', ...suite], { stdio: 'inherit', env });
    if (status === 0) continue;
    failed += 1;
    console.error(`— failed with seed ${seed}: ${suite.join(' ')}`);
  }
}
console.log(`${rounds * SUITES.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
