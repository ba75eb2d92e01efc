import type { EngineCounters } from '#engine/engine-parts.ts';
import type { Metrics } from '#lib/metrics.ts';

/** The counters of the engine, with their names in `/metrics`. */
export function engineCounters(metrics: Metrics): EngineCounters {
  return {
    accepted: (kind) => metrics.count('rowpress_jobs_accepted_total', { kind }),
    replayed: (surface) => metrics.count('rowpress_request_replays_total', { surface }),
    conflicted: (surface) => metrics.count('rowpress_request_conflicts_total', { surface }),
    sliceEnded: (kind, outcome) => metrics.count('rowpress_slices_total', { kind, outcome }),
    settled: (kind, state) => metrics.count('rowpress_jobs_settled_total', { kind, state }),
    rows: (kind, done, failed) => {
      metrics.count('rowpress_rows_total', { kind, outcome: 'done' }, done);
      metrics.count('rowpress_rows_total', { kind, outcome: 'failed' }, failed);
    },
  };
}
