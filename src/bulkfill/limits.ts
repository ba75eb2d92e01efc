import type { Config } from '#config.ts';
import { type Limit, perMinute } from '#engine/limits/limit.ts';

export type BulkfillLimit = 'bulkfill.create' | 'bulkfill.read' | 'bulkfill.download' | 'bulkfill.verify';

export function bulkfillLimits(config: Config): Readonly<Record<BulkfillLimit, Limit>> {
  return {
    'bulkfill.create': perMinute(config.bulkfillCreatePerMinute),
    'bulkfill.read': perMinute(config.bulkfillReadPerMinute),
    'bulkfill.download': perMinute(config.bulkfillDownloadPerMinute),
    'bulkfill.verify': perMinute(config.verifyPerMinute),
  };
}
