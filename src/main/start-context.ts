import type { Config } from '#config.ts';
import type { ResolveHost } from '#engine/webhooks/resolve-host.ts';
import type { MetricsRegistry } from '#http/metrics.ts';
import type { Clock } from '#lib/clock.ts';
import type { DatabaseClock, MachineTime } from '#lib/database-clock.ts';
import type { Ids } from '#lib/ids.ts';
import type { Log } from '#lib/logger.ts';
import type { MeasureDisk } from '#storage/free-space.ts';
import type { SurfaceSpec } from '#surface.ts';
import type { BackgroundErrors } from './background-errors.ts';

/** What the environment provides. A test may replace each of them. */
export interface Surroundings {
  readonly surfaces: readonly SurfaceSpec[];
  /** Replaces the time of the product, so that a test can move it. */
  readonly clock: Clock;
  readonly machineTime: MachineTime;
  readonly resolve: ResolveHost;
  /** Certificate authorities of webhook receivers, instead of the machine's. */
  readonly webhookCa: string;
  readonly measureDisk: MeasureDisk;
  /** The directory of the built web app. */
  readonly webRoot: string;
}

/** What every stage of a start uses. */
export interface StartContext {
  readonly config: Config;
  readonly log: Log;
  readonly registry: MetricsRegistry;
  readonly surfaces: readonly SurfaceSpec[];
  readonly clock: Clock;
  /** `clock`, unless a test replaces that. */
  readonly databaseClock: DatabaseClock;
  readonly ids: Ids;
  readonly background: BackgroundErrors;
  readonly surroundings: Partial<Surroundings>;
}
