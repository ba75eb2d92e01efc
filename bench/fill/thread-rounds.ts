/**
 * Fills rounds of 50,000 rows into a discarded archive, on the number of threads in the argument. Prints the seconds of
 * each round. A separate process, so that one thread count does not warm up the other.
 */
import { fillArchive } from '../../src/cli/fill/fill-archive.ts';
import { openOutput } from '../../src/cli/fill/output-file.ts';
import { openFill } from '../../src/fill/node/open-fill.ts';
import { keepHeapSmall } from '../../src/fill/node/small-heap.ts';
import { FillThreads } from '../../src/fill/node/threads/fill-threads.ts';
import { cellsOf, plan } from './bench-plan.ts';
import { makeSource, SOURCES } from './make-sources.ts';

const ROUND_ROWS = 50_000;
const ROUNDS = 4;
const BATCH_ROWS = 100;

keepHeapSmall();
const threads = new FillThreads(0, { maxOldGenerationSizeMb: 512 });
threads.start(Number(process.argv[2]) - 1);
const opened = await openFill(makeSource(SOURCES.A), plan);
if (!opened.ok) throw new Error(opened.message);

const marks = [performance.now()];
await fillArchive(
  {
    fill: opened.fill,
    plan,
    rows: {
      count: ROUND_ROWS * ROUNDS,
      columns: new Set(),
      decimalSigns: {},
      inputs: undefined,
      header: undefined,
      batches,
    },
    maxFailedRowPercent: 100,
    run: { threads, maxCellChars: 10_000 },
    head: {
      engine: '',
      timestamp: '',
      source: { pdf_sha256: '', page_count: 1, package_sha256: '' },
      options: {},
      warnings: [],
    },
  },
  await openOutput('/dev/null'),
  {
    update: (done) => {
      if (done >= marks.length * ROUND_ROWS) marks.push(performance.now());
    },
    stop: () => undefined,
  },
);
await threads.close();
const seconds = marks.slice(1).map((mark, round) => (mark - (marks[round] ?? 0)) / 1000);
process.stdout.write(JSON.stringify(seconds));

function* batches() {
  for (let first = 1; first <= ROUND_ROWS * ROUNDS; first += BATCH_ROWS) {
    yield Array.from({ length: BATCH_ROWS }, (_, row) => cellsOf(first + row));
  }
}
