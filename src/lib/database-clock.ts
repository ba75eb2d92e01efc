import { type Clock, systemClock } from './clock.ts';

/** The two clocks of this machine, in milliseconds. */
export interface MachineTime {
  /** The time of day. Operators and NTP can move it at any moment. */
  wall(): number;
  /** Time since some moment in the past. Nothing moves it, but it may stand still while the machine sleeps. */
  monotonic(): number;
}

export const machineTime: MachineTime = {
  wall: () => systemClock.now().getTime(),
  monotonic: () => performance.now(),
};

/** A reading of the database's clock, and the monotonic times between which it was taken. */
export interface TimeReading {
  readonly databaseMs: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * The clock of the database, as this process last read it, continued by the monotonic clock of the machine. All nodes so
 * have the same time, whatever their own clocks show, and a machine whose clock is moved keeps it.
 */
export class DatabaseClock implements Clock {
  readonly #machine: MachineTime;
  /** The database's time at monotonic time zero. Until the first reading, the machine's. */
  #origin: number;

  constructor(machine: MachineTime = machineTime) {
    this.#machine = machine;
    this.#origin = machine.wall() - machine.monotonic();
  }

  now(): Date {
    return new Date(this.#origin + this.#machine.monotonic());
  }

  /** How far the machine's clock is ahead of the database's, in milliseconds; negative: behind. */
  get skewMs(): number {
    return this.#machine.wall() - this.#machine.monotonic() - this.#origin;
  }

  get monotonicMs(): number {
    return this.#machine.monotonic();
  }

  /**
   * The database read its clock, in whole milliseconds, at some moment of the round trip. A time that agrees with that is
   * kept, because a slow reading would move it back and forth. Otherwise the middle is at most half of the trip away.
   */
  set({ databaseMs, sentAt, receivedAt }: TimeReading): void {
    if (this.#origin >= databaseMs - receivedAt && this.#origin <= databaseMs + 1 - sentAt) return;
    this.#origin = databaseMs - (sentAt + receivedAt) / 2;
  }
}
