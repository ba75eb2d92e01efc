import type { Signals } from '#engine/queue/signals.ts';
import { type JobSummary, listJobsById, listOpenJobs } from '#storage/console/jobs.ts';
import type { Db } from '#storage/database.ts';

/** Four reads a second while jobs run, so a job is reported at most four times a second. */
const BUSY_MS = 250;
const IDLE_MS = 1_000;
/** More open jobs than a person can watch; the oldest are reported. */
const MAX_OPEN = 500;

type Hear = (jobs: readonly JobSummary[]) => void;

/**
 * Reports the progress of open jobs. One read of the open jobs serves all listeners of this process, and nothing is read without
 * listeners. Counters are polled, because a finished slice sends no message; every node announces the end of a job, so that a job too
 * short to be seen open is reported too.
 */
export class JobWatcher {
  readonly #db: Db;
  readonly #signals: Signals;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<Hear>();
  /** The last reported state of each open job. */
  #known = new Map<string, string>();
  #heard = new Set<string>();
  #running = false;

  constructor(db: Db, signals: Signals, onError: (error: unknown) => void) {
    this.#db = db;
    this.#signals = signals;
    this.#onError = onError;
  }

  /** Returns the open jobs, and calls `hear` for every later change. */
  async listen(hear: Hear): Promise<{ readonly open: readonly JobSummary[]; stop(): void }> {
    this.#listeners.add(hear);
    const stop = () => void this.#listeners.delete(hear);
    if (!this.#running) void this.#run();
    try {
      return { open: await listOpenJobs(this.#db, MAX_OPEN), stop };
    } catch (error) {
      stop();
      throw error;
    }
  }

  async #run(): Promise<void> {
    this.#running = true;
    const unsubscribe = this.#signals.onAnyJob((id) => this.#heard.add(id));
    try {
      while (this.#listeners.size > 0) {
        await this.#look().catch(this.#onError);
        await this.#pause(this.#known.size > 0 || this.#heard.size > 0 ? BUSY_MS : IDLE_MS);
      }
    } finally {
      unsubscribe();
      this.#known = new Map();
      this.#heard = new Set();
      this.#running = false;
    }
  }

  async #look(): Promise<void> {
    const heard = this.#heard;
    this.#heard = new Set();
    const open = await listOpenJobs(this.#db, MAX_OPEN);
    const openIds = new Set(open.map(({ id }) => id));
    const ended = [...new Set([...this.#known.keys(), ...heard])].filter((id) => !openIds.has(id));
    const jobs = [...open, ...(await listJobsById(this.#db, ended))];
    const changed = jobs.filter((job) => this.#known.get(job.id) !== markOf(job));
    this.#known = new Map(open.map((job) => [job.id, markOf(job)]));
    if (changed.length > 0) for (const listener of [...this.#listeners]) listener(changed);
  }

  /** Unreferenced, so that it does not keep the process alive. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms).unref());
  }
}

function markOf(job: JobSummary): string {
  return `${job.state} ${job.rows_done} ${job.rows_failed} ${job.slices_done}`;
}
