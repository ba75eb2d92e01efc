import { readFileSync } from 'node:fs';
import { collectGarbage } from './collect-garbage.ts';
import { memoryLimitBytes } from './memory-limit.ts';

const PAGE_BYTES = 4096;
/** A measurement is reused for this long: a body that arrives in small chunks asks for each of them. */
const FRESH_MS = 10;
/** Collections take at most this share of the time. */
const COLLECTING_SHARE = 0.1;
const LEAST_PAUSE_MS = 500;
const WATCH_MS = 1000;

export interface OwnMemoryParts {
  readonly limitBytes: number;
  resident(): number;
  collect(): void;
  now(): number;
}

/**
 * Compares the memory that this process actually has with the half of the machine that is its own; readers have the other half. A byte
 * budget counts what requests hold, but not garbage, and not freed memory that V8 and malloc keep for reuse. After a flood of large requests
 * that was more than half of the process.
 */
export class OwnMemory {
  readonly limitBytes: number;
  readonly #parts: Omit<OwnMemoryParts, 'limitBytes'>;
  #bytes = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #nextCollectionAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Partial<OwnMemoryParts> = {}) {
    this.limitBytes = parts.limitBytes ?? Math.floor(memoryLimitBytes() / 2);
    this.#parts = {
      resident: privateBytes,
      collect: () => collectGarbage({ thorough: true }),
      now: () => performance.now(),
      ...parts,
    };
  }

  /** Whether `bytes` more fit. Collects garbage first if they do not. */
  hasRoom(bytes: number): boolean {
    return this.#measured() + bytes <= this.limitBytes || this.#collected() + bytes <= this.limitBytes;
  }

  /** Checks every second, so that a flood's garbage is gone before the next one. Returns a function that ends it. */
  watch(): () => void {
    const timer = setInterval(() => this.hasRoom(0), WATCH_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  #measured(): number {
    const now = this.#parts.now();
    if (now - this.#measuredAt < FRESH_MS) return this.#bytes;
    this.#measuredAt = now;
    this.#bytes = this.#parts.resident();
    return this.#bytes;
  }

  /** Collects garbage, unless it did so a moment ago. */
  #collected(): number {
    const began = this.#parts.now();
    if (began < this.#nextCollectionAt) return this.#bytes;
    this.#parts.collect();
    const ended = this.#parts.now();
    this.#nextCollectionAt = ended + Math.max(LEAST_PAUSE_MS, (ended - began) / COLLECTING_SHARE);
    this.#measuredAt = ended;
    this.#bytes = this.#parts.resident();
    return this.#bytes;
  }
}

/** Resident memory without the pages of files, which the system can drop. Includes them where the system does not tell them apart. */
function privateBytes(): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync('/proc/self/statm', 'latin1').split(' ').map(Number);
    return (resident - shared) * PAGE_BYTES;
  } catch {
    return process.memoryUsage.rss();
  }
}
