import type { BuiltSurface, RowSource, SurfaceSpec } from '#surface.ts';
import type { OpenReaders } from './open-readers.ts';
import type { OpenStorage } from './open-storage.ts';
import { Opened } from './opened.ts';
import type { StartContext } from './start-context.ts';
import type { RunningEngine } from './start-engine.ts';

export interface ServedSurface {
  readonly spec: SurfaceSpec;
  readonly built: BuiltSurface;
}

export interface BuiltSurfaces {
  readonly all: readonly ServedSurface[];
  close(): Promise<void>;
}

/** Builds every surface and registers its job kinds with the engine. */
export async function buildSurfaces(
  { config, surfaces, clock, ids, background }: StartContext,
  storage: OpenStorage,
  reading: OpenReaders,
  { engine, kinds, webhooks, outbox }: RunningEngine,
): Promise<BuiltSurfaces> {
  const opened = new Opened();
  const rowSources = new Map<string, RowSource>();
  const parts = {
    ...storage,
    ...reading,
    config,
    clock,
    ids,
    engine,
    outbox,
    webhooks,
    rowSources,
    sealKey: storage.seal.secretKey,
    trustedKeys: storage.seal.trustedKeys,
    onError: background.note,
  };
  const all: ServedSurface[] = [];
  try {
    for (const spec of surfaces) {
      const built = await spec.build(parts);
      if (built.close !== undefined) opened.add({ close: built.close });
      kinds.register(built.kinds);
      if (built.rows !== undefined) rowSources.set(spec.name, built.rows);
      all.push({ spec, built });
    }
  } catch (error) {
    await opened.close();
    throw error;
  }
  return { all, close: () => opened.close() };
}
