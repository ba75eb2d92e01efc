import type { PlainLog } from '#lib/plain-log.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { ensureDatabaseKey } from './database-roles.ts';
import { takeSocketDirectory } from './directories.ts';
import type { Installed } from './ensure-running.ts';
import { takePlace } from './place.ts';
import { type ServerSettings, serverOptions, settingsMark } from './settings.ts';

/** Prepares everything that a start needs: place, programs, password, cluster, socket directory, settings. */
export async function install(dataDir: string, settings: ServerSettings, log: PlainLog): Promise<Installed> {
  const place = takePlace(dataDir, log);
  const binaries = findBinaries(place, log);
  const key = await ensureDatabaseKey(dataDir);
  await ensureCluster(place, binaries, key, log, settings.fsync);
  const options = serverOptions(takeSocketDirectory(place), settings);
  return {
    place,
    binaries,
    key,
    options: { ...options, 'rowpress.mark': settingsMark(binaries.version, options) },
  };
}
