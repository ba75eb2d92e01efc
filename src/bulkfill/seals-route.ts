import { listKeys } from '#engine/rotation/list-keys.ts';
import type { RouteGroup } from '#http/route-group.ts';
import type { Clock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';

/** The list needs no key, so its readers must not cost a query each. */
const KEPT_MS = 10_000;

/** The public seal keys of the installation, for `rowpress verify --key`. Requires no key: a public key is not a secret. */
export function sealsRoutes({ db, clock }: { readonly db: Db; readonly clock: Clock }): RouteGroup {
  let kept: { readonly until: number; readonly body: Promise<string> } | undefined;
  const read = async () => {
    const keys = await listKeys(db, 'seal_key');
    return JSON.stringify({
      keys: keys.map(({ fingerprint, ...rest }) => ({ public_key: fingerprint, ...rest })),
    });
  };
  return {
    prefix: '/seals',
    plugin: async (app) => {
      app.get('/list.json', { schema: { hide: true } }, async (_request, reply) => {
        const now = clock.now().getTime();
        if (kept === undefined || kept.until <= now) {
          const body = read();
          kept = { until: now + KEPT_MS, body };
          body.catch(() => {
            kept = undefined;
          });
        }
        await reply.type('application/json').send(await kept.body);
      });
    },
  };
}
