/**
 * The metrics of the product, as a port that does not depend on a collector. One table contains every name with its help text and labels,
 * so that `/metrics` and this file cannot differ.
 *
 * Labels have few values (states, outcomes, kinds). Never use an account, a job id or a path: each value creates a time series.
 */
interface Definition {
  readonly help: string;
  readonly labels: readonly string[];
}

export const counters = {
  rowpress_http_denials_total: {
    help: 'Requests rejected because of a key, a limit or a cooldown.',
    labels: ['surface', 'reason'],
  },
  rowpress_failed_keys_total: {
    help: 'Invalid API keys: rejected, or rate-limited by address.',
    labels: ['surface', 'outcome'],
  },
  rowpress_key_refusals_total: {
    help: 'Rejected API keys, by exact reason.',
    labels: ['surface', 'reason'],
  },
  rowpress_request_replays_total: {
    help: 'Requests replayed from an earlier one with the same key.',
    labels: ['surface'],
  },
  rowpress_request_conflicts_total: {
    help: 'Requests whose key was used for a different request.',
    labels: ['surface'],
  },
  rowpress_jobs_accepted_total: { help: 'Jobs accepted.', labels: ['kind'] },
  rowpress_jobs_settled_total: { help: 'Settled jobs.', labels: ['kind', 'state'] },
  rowpress_slices_total: { help: 'Slice attempts by outcome.', labels: ['kind', 'outcome'] },
  rowpress_rows_total: { help: 'Rows by outcome.', labels: ['kind', 'outcome'] },
  rowpress_webhook_attempts_total: {
    help: 'Webhook attempts by outcome.',
    labels: ['scheme', 'outcome'],
  },
  rowpress_swept_total: { help: 'Records and files that the sweepers deleted.', labels: ['what'] },
} as const satisfies Record<string, Definition>;

export const histograms = {
  rowpress_http_request_duration_seconds: {
    help: 'Time from the first byte of a request to the last byte of its response.',
    labels: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  },
  rowpress_slice_duration_seconds: {
    help: 'Duration of a slice attempt.',
    labels: ['kind'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120],
  },
  rowpress_webhook_duration_seconds: {
    help: 'Duration of a webhook attempt.',
    labels: ['scheme'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 15],
  },
} as const satisfies Record<string, Definition & { readonly buckets: readonly number[] }>;

/** Gauges are read at scrape time from the source that the server was given. */
export const gauges = {
  rowpress_jobs: { help: 'Stored jobs by state.', labels: ['kind', 'state'] },
  rowpress_queue_depth: { help: 'Waiting entries of a queue.', labels: ['queue'] },
  rowpress_queue_age_seconds: { help: 'Age of the oldest waiting entry of a queue.', labels: ['queue'] },
  rowpress_memory_budget_bytes: { help: 'Bytes that requests may hold in memory.', labels: [] },
  rowpress_memory_budget_used_bytes: { help: 'Bytes that requests hold in memory.', labels: [] },
  rowpress_memory_budget_refusals: { help: 'Rejected reservations since the start.', labels: [] },
  rowpress_disk_free_bytes: { help: 'Free disk bytes, the minimum of all directories.', labels: [] },
  rowpress_disk_floor_bytes: { help: 'Free bytes below which nothing new is accepted.', labels: [] },
  rowpress_keys_expiring: {
    help: 'Live API keys without a successor that expire within this number of days.',
    labels: ['surface', 'within_days'],
  },
  rowpress_webhooks_pending: { help: 'Webhook deliveries that are due or will be.', labels: [] },
} as const satisfies Record<string, Definition>;

type LabelsOf<D extends Definition> = Readonly<Record<D['labels'][number], string>>;
export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof gauges;

export interface Metrics {
  count<N extends CounterName>(name: N, labels: LabelsOf<(typeof counters)[N]>, by?: number): void;
  observe<N extends HistogramName>(name: N, labels: LabelsOf<(typeof histograms)[N]>, seconds: number): void;
}

export type GaugeSample = {
  [N in GaugeName]: {
    readonly name: N;
    readonly labels: LabelsOf<(typeof gauges)[N]>;
    readonly value: number;
  };
}[GaugeName];

/** Does nothing. For tests and for the command line, which have no collector. */
export const noMetrics: Metrics = { count: () => {}, observe: () => {} };
