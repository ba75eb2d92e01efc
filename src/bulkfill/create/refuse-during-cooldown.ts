import type { FastifyRequest } from 'fastify';
import { cooldownFor } from '#engine/limits/cooldowns.ts';
import { getPrincipal } from '#http/principal.ts';
import { cooldownCodes, refuse } from '../errors.ts';
import { EXPORT_KIND } from '../export-input.ts';
import type { CreateParts } from './create-parts.ts';

/** Rejects creates and their replays while too many jobs of the account have failed. Reads are never rejected. */
export async function refuseDuringCooldown(
  parts: CreateParts,
  request: FastifyRequest,
  kind: string = EXPORT_KIND,
): Promise<void> {
  const { accountId } = getPrincipal(request);
  const { db, settings, clock } = parts;
  const pause = await cooldownFor(db, settings.cooldowns, accountId, kind, clock.now());
  if (pause !== undefined)
    throw refuse(cooldownCodes[pause.reason], undefined, { retryAfterSeconds: pause.retryAfterSeconds });
}
