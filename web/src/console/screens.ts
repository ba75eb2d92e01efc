import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type Screen = ComponentType<{ id: string }>;
interface Entry {
  readonly list: LazyExoticComponent<Screen>;
  readonly detail?: LazyExoticComponent<Screen>;
}

const screen = (load: () => Promise<Screen>) => lazy(async () => ({ default: await load() }));

/** The screens of `/console/{name}` and `/console/{name}/{id}`, loaded on demand. */
export const screens: Readonly<Record<string, Entry>> = {
  jobs: {
    list: screen(async () => (await import('./jobs/jobs-screen.tsx')).JobsScreen),
    detail: screen(async () => (await import('./jobs/job-screen.tsx')).JobScreen),
  },
  transfers: { list: screen(async () => (await import('./transfers/transfers-screen.tsx')).TransfersScreen) },
  ingest: { list: screen(async () => (await import('./ingest/ingest-screen.tsx')).IngestScreen) },
  deliveries: {
    list: screen(async () => (await import('./webhooks/deliveries-screen.tsx')).DeliveriesScreen),
    detail: screen(async () => (await import('./webhooks/delivery-screen.tsx')).DeliveryScreen),
  },
  'request-keys': {
    list: screen(async () => (await import('./request-keys/request-keys-screen.tsx')).RequestKeysScreen),
  },
  keys: { list: screen(async () => (await import('./keys/keys-screen.tsx')).KeysScreen) },
  accounts: { list: screen(async () => (await import('./accounts/accounts-screen.tsx')).AccountsScreen) },
  operators: { list: screen(async () => (await import('./operators/operators-screen.tsx')).OperatorsScreen) },
  usage: { list: screen(async () => (await import('./usage/usage-screen.tsx')).UsageScreen) },
  health: { list: screen(async () => (await import('./health/health-screen.tsx')).HealthScreen) },
  reference: { list: screen(async () => (await import('./reference/reference-screen.tsx')).ReferenceScreen) },
};
