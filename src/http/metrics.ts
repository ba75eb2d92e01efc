import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { counters, type GaugeSample, gauges, histograms, type Metrics } from '#lib/metrics.ts';

/** Called at every scrape; its values replace those of the previous scrape. */
export type GaugeSource = () => Promise<readonly GaugeSample[]>;

export interface MetricsRegistry {
  readonly metrics: Metrics;
  /** Returns the Prometheus text format. If a source fails, its gauges are left out. */
  scrape(): Promise<{ readonly contentType: string; readonly body: string }>;
  /** Adds a source of gauges; call it before the first scrape. */
  addGauges(source: GaugeSource): void;
}

/** prom-client behind the port of `lib/metrics.ts`, one registry per server. */
export function createMetrics({ processMetrics = false } = {}): MetricsRegistry {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const build = <D extends { readonly help: string; readonly labels: readonly string[] }, M>(
    table: Readonly<Record<string, D>>,
    make: (
      options: { name: string; help: string; labelNames: string[]; registers: Registry[] },
      entry: D,
    ) => M,
  ) =>
    new Map(
      Object.entries(table).map(([name, entry]): [string, M] => [
        name,
        make({ name, help: entry.help, labelNames: [...entry.labels], registers }, entry),
      ]),
    );
  const counterByName = build(counters, (options) => new Counter(options));
  const gaugeByName = build(gauges, (options) => new Gauge(options));
  const histogramByName = build(
    histograms,
    (options, { buckets }) => new Histogram({ ...options, buckets: [...buckets] }),
  );
  const sources: GaugeSource[] = [];

  async function readGauges(): Promise<void> {
    const results = await Promise.allSettled(sources.map((source) => source()));
    for (const gauge of gaugeByName.values()) gauge.reset();
    for (const result of results)
      if (result.status === 'fulfilled')
        for (const { name, labels, value } of result.value) gaugeByName.get(name)?.set(labels, value);
  }

  return {
    metrics: {
      count: (name, labels, by = 1) => counterByName.get(name)?.inc(labels, by),
      observe: (name, labels, seconds) => histogramByName.get(name)?.observe(labels, seconds),
    },
    addGauges: (source) => void sources.push(source),
    async scrape() {
      await readGauges();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
