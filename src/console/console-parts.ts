import type { Plan } from '#config/plans.ts';
import type { BlobKeeper } from '#engine/blob-keeper.ts';
import type { Engine } from '#engine/engine.ts';
import type { DefaultDays, KeyKinds } from '#engine/keys/key-kinds.ts';
import type { LimitVerdict } from '#engine/limits/rate-limits.ts';
import type { StorageRoom } from '#engine/limits/storage-room.ts';
import type { Signals } from '#engine/queue/signals.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import type { Db } from '#storage/database.ts';
import type { SurfaceNeeds } from './access/declared-needs.ts';
import type { ConsoleLimitName } from './console-limits.ts';
import type { HealthProbe } from './health/health-probe.ts';
import type { AllJobViews } from './job-views.ts';
import type { OperatorApp } from './operator-app.ts';
import type { PackageSealer } from './packages/package-sealer.ts';
import type { SessionParts } from './session/session-guard.ts';
import type { SingleSignOn } from './single-sign-on/single-sign-on.ts';

/** What the operator routes need from a surface. */
export interface ConsoleSurface {
  readonly name: string;
  /** Name of the scheme that signs its webhooks. */
  readonly webhookScheme: string;
  /** If any of its routes needs `run`, people with that right also read and cancel its jobs. */
  readonly needs: SurfaceNeeds;
  readonly operatorRoutes?: ((app: OperatorApp) => void) | undefined;
}

/** What the operator routes are built from. */
export interface ConsoleParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly engine: Engine;
  readonly signals: Signals;
  readonly blobs: BlobKeeper;
  readonly webhooks: WebhookParts;
  readonly session: SessionParts;
  /** Undefined: people sign in without a provider. */
  readonly singleSignOn: SingleSignOn | undefined;
  readonly limits: ConsoleLimits;
  /** Ends the caching of a key in this process, after a change. */
  readonly forgetKey: (id: string) => void;
  readonly keyKinds: KeyKinds;
  /** The surfaces of this server, in order. */
  readonly surfaces: readonly ConsoleSurface[];
  readonly views: AllJobViews;
  readonly sealer: PackageSealer;
  readonly health: HealthProbe;
  readonly settings: ConsoleSettings;
  /** Memory that requests may hold. */
  readonly budget: ByteBudget;
  /** Checks whether there is space to store more. */
  readonly room: StorageRoom;
  /** Called for failures after the response was sent. */
  readonly onError: (error: unknown) => void;
}

export interface ConsoleLimits {
  take(name: ConsoleLimitName, id: string): Promise<LimitVerdict>;
  giveBack(name: ConsoleLimitName, id: string): Promise<void>;
}

export interface ConsoleSettings {
  readonly publicUrl: string | undefined;
  readonly basePath: string;
  readonly plan: string;
  /** Default lifetimes of new keys. */
  readonly keyDays: DefaultDays;
  /** Days before the end of a key at which to warn, the largest first. */
  readonly keyWarningDays: readonly number[];
  readonly plans: ReadonlyMap<string, Plan>;
  readonly sealPublicKeys: readonly string[];
  readonly maxRows: number;
  readonly maxColumns: number;
  readonly maxPages: number;
  readonly maxCellChars: number;
  readonly maxPdfBytes: number;
  readonly maxPackageBytes: number;
  readonly maxAssetsEntries: number;
  readonly maxAssetsEntryBytes: number;
  readonly maxAssetsBytes: number;
  readonly keepPdfActions: boolean;
  readonly webhookTimeoutMs: number;
}
