import { expect, test } from 'vitest';
import { loadConfig } from '#config.ts';
import { perSurface } from './registries.ts';
import { surfaces } from './surfaces.ts';

test('[LIM2] the limits of the surfaces: settings', () => {
  const loaded = loadConfig({ ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '7', ROWPRESS_INGEST_PER_MINUTE: '0' });
  expect(loaded.ok && perSurface(surfaces, loaded.config, ({ limits }) => limits)).toEqual({
    bulkfill: {
      'bulkfill.create': { requests: 7, seconds: 60 },
      'bulkfill.read': { requests: 1200, seconds: 60 },
      'bulkfill.download': { requests: 240, seconds: 60 },
      'bulkfill.verify': { requests: 60, seconds: 60 },
    },
    subscribers: { subscribers: { requests: 6000, seconds: 60 } },
    ingest: { ingest: { requests: 0, seconds: 60 } },
  });
});
