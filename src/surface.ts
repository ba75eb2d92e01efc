import type { Config } from '#config.ts';
import type { SurfaceNeeds } from '#console/access/declared-needs.ts';
import type { AuditNames } from '#console/acting/audit-names.ts';
import type { JobViews } from '#console/job-views.ts';
import type { OperatorApp } from '#console/operator-app.ts';
import type { BlobKeeper } from '#engine/blob-keeper.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outbox } from '#engine/engine-parts.ts';
import type { AnyJobKind } from '#engine/job-kind.ts';
import type { KeyKind, Lifetime } from '#engine/keys/key-kinds.ts';
import type { ExpiryWarning } from '#engine/keys/warn-expiring.ts';
import type { Limit } from '#engine/limits/limit.ts';
import type { StorageRoom } from '#engine/limits/storage-room.ts';
import type { SecretRing } from '#engine/secret-ring.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import type { WebhookScheme } from '#engine/webhooks/webhook-scheme.ts';
import type { StandbyReader } from '#fill/node/standby-reader.ts';
import type { DialectSpec } from '#http/dialects/dialect-spec.ts';
import type { RouteGroup } from '#http/route-group.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { Clock } from '#lib/clock.ts';
import type { FairTurnstile } from '#lib/fair-turnstile.ts';
import type { Ids } from '#lib/ids.ts';
import type { Chore, InstallationChore } from '#lib/ticker.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import type { DataKeySource } from '#storage/blobs/data-key.ts';
import type { Database, Tx } from '#storage/database.ts';

/**
 * A public contract as one object: everything that the engine, the HTTP shell and the console need from it. A new surface is
 * one folder that exports such an object, and one line in `main/surfaces.ts`.
 */
export interface SurfaceSpec {
  /**
   * Its name in keys, metrics, events and the operator API, and the first part of its job kinds and request scopes. Equal to
   * the name of its dialect. Stored in records, so it is never renamed.
   */
  readonly name: string;
  readonly dialect: DialectSpec;
  readonly keys: KeyKind;
  readonly webhookScheme: WebhookScheme;
  /** What the audit log calls the requests of operators who act for an account. */
  readonly audit: AuditNames;
  /** What people need for each of its routes when they act for an account. */
  readonly needs: SurfaceNeeds;
  /** Other surfaces can read its stored rows; `build` returns the `rows`. */
  readonly providesRows?: true;
  /** Its keys can be allowed to read the stored rows of other surfaces. */
  readonly readsRows?: true;
  settings(config: Config): SurfaceSettings;
  /** Loads and builds it. Commands read the members above without loading the rest. */
  build(parts: SurfaceParts): Promise<BuiltSurface>;
}

/** The settings of a surface that the engine, the shell and the console apply. */
export interface SurfaceSettings {
  /** Rate limits, by the names that the guards of its routes use. */
  readonly limits: Readonly<Record<string, Limit>>;
  /** Default lifetime of its keys; null: no expiry. */
  readonly keyDays: Lifetime | null;
  /** Offsets of webhook retries from the first failure. */
  readonly webhookRetrySeconds: readonly number[];
  /** How long a request key belongs to its first request. */
  readonly requestKeySeconds: number;
}

/** What every surface is built from. */
export interface SurfaceParts {
  readonly config: Config;
  readonly database: Database;
  readonly store: BlobStore;
  /** Open encrypted blobs that are read from `store` or its files. */
  readonly dataKeys: DataKeySource;
  readonly blobs: BlobKeeper;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secret: SecretRing;
  /** The key that seals packages. */
  readonly sealKey: Uint8Array;
  /** Public keys whose seals on packages are accepted. */
  readonly trustedKeys: readonly string[];
  readonly engine: Engine;
  readonly outbox: Outbox;
  /** The rows of all surfaces that provide them, by name; complete once all surfaces are built. */
  readonly rowSources: ReadonlyMap<string, RowSource>;
  readonly webhooks: Pick<WebhookParts, 'secrets' | 'resolve' | 'settings'>;
  /** Memory that requests may hold. */
  readonly budget: ByteBudget;
  readonly room: StorageRoom;
  /** Limits and orders the child processes that read uploads. */
  readonly line: FairTurnstile;
  readonly readers: StandbyReader;
  readonly onError: (error: unknown) => void;
}

export interface BuiltSurface {
  /** The work that the engine does for it. */
  readonly kinds: readonly AnyJobKind[];
  /** How the console shows its jobs. */
  readonly jobViews: JobViews;
  /** Periodic work of the installation; one worker node at a time runs each. */
  readonly chores?: readonly InstallationChore[];
  /** Periodic work on the files of a node; every node runs it, even one without workers. */
  readonly localChores?: readonly Chore[];
  readonly rows?: RowSource;
  /** Routes of the operator API for what its public contract has no route for. */
  readonly operatorRoutes?: (app: OperatorApp) => void;
  /** Routes for operators who act for an account, besides those of `api`. */
  readonly actedRoutes?: RouteGroup['plugin'];
  /** Sends the event of one of its keys that expires soon, in the transaction that marks the key. */
  announceExpiringKey?(tx: Tx, key: ExpiryWarning): Promise<void>;
  /** The routes of the contract. The console registers them a second time, for operators who act for an account. */
  readonly api: RouteGroup;
  /** Routes outside the contract's prefix. */
  readonly otherRoutes?: readonly RouteGroup[];
  /** Prepares for the first request, after the server listens. */
  warmUp?(): void;
  close?(): Promise<void>;
}

/** Finds a stored selection of rows. Returns undefined if the account has no such selection. */
export type RowSource = (accountId: string, selection: string) => Promise<SelectedRows | undefined>;

/** Cells in column order, batch by batch. */
export type SelectedRows = AsyncIterable<readonly (readonly string[])[]>;
