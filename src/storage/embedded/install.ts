import type { PlainLog } from '../../lib/plain-log.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import type { Installed } from './ensure-running.ts';
import { takePlace } from './place.ts';
import { type ServerSettings, serverOptions, settingsMark } from './settings.ts';
import { takeSocketDirectory } from './socket-directory.ts';

/** Finds or makes everything a start needs: place, programs, cluster, socket directory, settings. */
export async function install(dataDir: string, settings: ServerSettings, log: PlainLog): Promise<Installed> {
  const place = takePlace(dataDir, log);
  const binaries = findBinaries(place, log);
  await ensureCluster(place, binaries, log, settings.fsync);
  const options = serverOptions(takeSocketDirectory(place), settings);
  return {
    place,
    binaries,
    options: { ...options, 'rowpress.mark': settingsMark(binaries.version, options) },
  };
}
