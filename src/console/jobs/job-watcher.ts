import type { Signals } from '#engine/queue/signals.ts';
import { type JobSummary, listJobsById, listOpenJobs } from '#storage/console/jobs.ts';
import type { Db } from '#storage/database.ts';

/** Four looks a second while something runs, so a job is told of at most four times a second. */
const BUSY_MS = 250;
const IDLE_MS = 1_000;
/** More open jobs than anybody can watch; the oldest are told of. */
const MAX_OPEN = 500;

type Hear = (jobs: readonly JobSummary[]) => void;

/**
 * Tells whoever listens how open jobs go on. One look at the open jobs serves all listeners of this process, and nobody
 * looks while nobody listens. Counters are found by looking (slices tell nobody that they ended); ends are heard of from
 * any node, so that a job too short to be seen open is told of too.
 */
export class JobWatcher {
  readonly #db: Db;
  readonly #signals: Signals;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<Hear>();
  /** What was last told of each open job. */
  #known = new Map<string, string>();
  #heard = new Set<string>();
  #running = false;

  constructor(db: Db, signals: Signals, onError: (error: unknown) => void) {
    this.#db = db;
    this.#signals = signals;
    this.#onError = onError;
  }

  /** The open jobs now; `hear` is told of every change from here on. */
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
    if (changed.length > 0) for (const hear of [...this.#listeners]) hear(changed);
  }

  /** Unreferenced, so that it keeps no process alive. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms).unref());
  }
}

function markOf(job: JobSummary): string {
  return `${job.state} ${job.rows_done} ${job.rows_failed} ${job.slices_done}`;
}
