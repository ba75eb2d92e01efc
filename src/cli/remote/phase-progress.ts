import type { OnProgress, Progress as Report } from '#client/rowpress.ts';
import { loadProgress, type Progress, type ProgressWords, type StartProgress } from '../progress.ts';

const BYTES_PER_UNIT = 1000;
const WORDS: Readonly<Record<Report['phase'], ProgressWords>> = {
  upload: { verb: 'uploading', unit: 'kB' },
  job: { verb: 'working', unit: 'rows' },
  download: { verb: 'downloading', unit: 'kB' },
};

/** Shows one bar after the other: upload, job, download. A phase whose total is unknown has no bar. */
export class PhaseProgress {
  readonly #start: StartProgress;
  #phase: Report['phase'] | undefined;
  #bar: Progress | undefined;

  constructor(start: StartProgress) {
    this.#start = start;
  }

  readonly report: OnProgress = (progress) => {
    const { done, total } = amountsOf(progress);
    if (done === undefined || total === undefined || total === 0) return;
    if (this.#phase !== progress.phase) {
      this.stop();
      this.#phase = progress.phase;
      this.#bar = this.#start(total, WORDS[progress.phase]);
    }
    this.#bar?.update(Math.min(done, total));
  };

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
    this.#phase = undefined;
  }
}

function amountsOf(progress: Report): { done: number | undefined; total: number | undefined } {
  if (progress.phase === 'job') return progress;
  const { bytes, totalBytes } = progress;
  return {
    done: Math.ceil(bytes / BYTES_PER_UNIT),
    total: totalBytes === undefined ? undefined : Math.ceil(totalBytes / BYTES_PER_UNIT),
  };
}

/** Runs work with progress bars on a terminal. */
export async function withProgress<T>(work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const progress = new PhaseProgress(await loadProgress());
  try {
    return await work(progress.report);
  } finally {
    progress.stop();
  }
}
