import type { SurfaceSpec } from '#surface.ts';
import { bulkfillAudit } from './audit-names.ts';
import type { BulkfillOverrides } from './build.ts';
import { bulkfillDialect } from './dialect.ts';
import { bulkfillKeys } from './key-kind.ts';
import { bulkfillLimits } from './limits.ts';
import { bulkfillNeeds } from './operator-needs.ts';
import { bulkfillScheme } from './webhook-scheme.ts';

/** Bulk Fill: a template and rows in, a ZIP of filled PDFs out. */
export function bulkfillSurface(overrides: BulkfillOverrides = {}): SurfaceSpec {
  return {
    name: 'bulkfill',
    dialect: bulkfillDialect,
    keys: bulkfillKeys,
    webhookScheme: bulkfillScheme,
    audit: bulkfillAudit,
    needs: bulkfillNeeds,
    readsRows: true,
    settings: (config) => ({
      limits: bulkfillLimits(config),
      keyDays: config.bulkfillKeyDays,
      webhookRetrySeconds: config.webhookRetrySeconds,
      requestKeySeconds: config.idempotencyWindowSeconds,
    }),
    build: async (parts) => (await import('./build.ts')).buildBulkfill(parts, overrides),
  };
}

export const bulkfill = bulkfillSurface();
