import { z } from 'zod';
import {
  DEFAULT_OVERLAP_HOURS,
  MAX_OVERLAP_HOURS,
  type RotatedKey,
  rotateKey,
} from '#engine/keys/rotate-key.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import type { ListedKey } from '#storage/keys/api-keys.ts';
import { getNamedAccount } from '../accounts/find-named-account.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { rotatedKey } from '../contract/keys.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { nothing } from '../page.ts';
import { withinKeyRates } from './key-rates.ts';
import { showKey } from './show-key.ts';

const rotateBody = z.strictObject({
  overlap_hours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(DEFAULT_OVERLAP_HOURS),
});

/** `POST /keys/{id}/rotate`: a rotation counts as a create in the management rates. */
export function rotateKeyRoute(
  app: OperatorApp,
  parts: ConsoleParts,
  find: (id: string) => Promise<ListedKey>,
): void {
  const { db, clock, keyKinds, limits, forgetKey } = parts;
  const schema = { params: z.object({ id: z.string() }), body: rotateBody, response: { 201: rotatedKey } };
  app.post('/keys/:id/rotate', { config: { needs: 'manage' }, schema }, async (request, reply) => {
    const { id } = request.params;
    const key = await find(id);
    const account = await getNamedAccount(db, request, key.account_name);
    const rotate = async () => {
      const rotated = await rotateKey(
        { db, clock, kinds: keyKinds },
        id,
        request.body.overlap_hours,
        (tx, successor, expiresAt) =>
          recordAction({ ...parts, db: tx }, request, {
            action: 'key.rotated',
            accountId: account.id,
            target: id,
            details: { successor, expires_at: expiresAt },
          }),
      );
      return { changed: rotated.ok, answer: rotated };
    };
    const rotated = keyKinds.get(key.surface).limitedChanges
      ? await withinKeyRates(limits, 'create', account.id, rotate)
      : (await rotate()).answer;
    if (!rotated.ok) throw refusal(rotated);
    forgetKey(id);
    const made = showKey(await find(rotated.record.id), clock.now());
    const replaces = { id, expires_at: rotated.replaced.expiresAt.toISOString() };
    return reply.status(201).send({ ...made, key: rotated.key, replaces });
  });
}

function refusal(refused: Extract<RotatedKey, { ok: false }>): ApiError {
  if (refused.reason === 'unknown') return nothing('key');
  if (refused.reason === 'in-rotation')
    return refuse(
      'KEY_IN_ROTATION',
      `The key is in a rotation with key ${refused.other}; wait for the end of the overlap, or revoke one of the two.`,
    );
  const what = refused.reason === 'revoked' ? 'was revoked' : 'has expired';
  return refuse('KEY_NOT_LIVE', `The key ${what}; create a new one instead.`);
}
