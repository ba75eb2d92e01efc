import type { ExpiringKeys } from '#console/contract/keys.ts';
import { callJson } from '../../api/operator-client.ts';
import { Banner } from '../../ui/badge.tsx';
import { Time } from '../parts/time.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { expiryNotice } from './expiring-key.ts';

/** A notice above the list of keys while some of them expire soon. */
export function ExpiringNotice({ version }: { version: number }) {
  const { data } = useLoaded(`expiring ${version}`, (signal) =>
    callJson<ExpiringKeys>('/keys/expiring', { signal }),
  );
  const notice = expiryNotice(data?.items ?? []);
  const next = data?.items[0];
  if (notice === undefined || next === undefined) return null;
  return (
    <Banner tone="warn" title={notice}>
      It stops working <Time at={next.expires_at} />. Rotate a key to replace it without an interruption.
    </Banner>
  );
}
