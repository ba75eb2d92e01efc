import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Need } from '#console/contract/access.ts';

type Screen = ComponentType<{ id: string }>;
interface Entry {
  readonly list: LazyExoticComponent<Screen>;
  readonly detail?: LazyExoticComponent<Screen>;
  /** The right that the screen's data needs. */
  readonly need: Need;
}

const screen = (load: () => Promise<Screen>) => lazy(async () => ({ default: await load() }));

/** The screens of `/console/{name}` and `/console/{name}/{id}`, loaded on demand. */
export const screens: Readonly<Record<string, Entry>> = {
  jobs: {
    need: 'view-runs',
    list: screen(async () => (await import('./jobs/jobs-screen.tsx')).JobsScreen),
    detail: screen(async () => (await import('./jobs/job-screen.tsx')).JobScreen),
  },
  transfers: {
    need: 'view-data',
    list: screen(async () => (await import('./transfers/transfers-screen.tsx')).TransfersScreen),
  },
  ingest: {
    need: 'view-data',
    list: screen(async () => (await import('./ingest/ingest-screen.tsx')).IngestScreen),
  },
  deliveries: {
    need: 'view-data',
    list: screen(async () => (await import('./webhooks/deliveries-screen.tsx')).DeliveriesScreen),
    detail: screen(async () => (await import('./webhooks/delivery-screen.tsx')).DeliveryScreen),
  },
  'request-keys': {
    need: 'view-data',
    list: screen(async () => (await import('./request-keys/request-keys-screen.tsx')).RequestKeysScreen),
  },
  keys: { need: 'inspect', list: screen(async () => (await import('./keys/keys-screen.tsx')).KeysScreen) },
  accounts: {
    need: 'inspect',
    list: screen(async () => (await import('./accounts/accounts-screen.tsx')).AccountsScreen),
  },
  operators: {
    need: 'self',
    list: screen(async () => (await import('./operators/operators-screen.tsx')).OperatorsScreen),
  },
  usage: {
    need: 'view-data',
    list: screen(async () => (await import('./usage/usage-screen.tsx')).UsageScreen),
  },
  health: {
    need: 'inspect',
    list: screen(async () => (await import('./health/health-screen.tsx')).HealthScreen),
  },
  reference: {
    need: 'self',
    list: screen(async () => (await import('./reference/reference-screen.tsx')).ReferenceScreen),
  },
};
