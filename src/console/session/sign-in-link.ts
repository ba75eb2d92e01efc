import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import { refuse } from '../../lib/errors/api-error.ts';
import type { Ids } from '../../lib/ids.ts';
import { randomToken } from '../../lib/random-token.ts';
import { holdOperator } from '../../storage/console/operators.ts';
import { insertSignInLink } from '../../storage/console/sign-in-links.ts';
import type { Db } from '../../storage/database.ts';

/** 43 letters and digits are 256 bits: nothing to guess, so a plain hash keeps them (see engine/keys/key-kinds.ts). */
const TOKEN_LENGTH = 43;
const DAY_MS = 86_400_000;

export const makeToken = () => randomToken(TOKEN_LENGTH);
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface SignInLink {
  readonly link: string;
  readonly expiresAt: Date;
}

export interface Invitation {
  readonly name: string;
  readonly invitedBy: string;
}

/**
 * A link that signs in once. The token stands behind `#`, so that it is never sent to a server with the page's address
 * and lands in no log; the page posts it. Without an invitation it is good for a day and for the first operator.
 */
export async function makeSignInLink(
  { db, clock, ids }: { readonly db: Db; readonly clock: Clock; readonly ids: Ids },
  baseUrl: string,
  invitation?: Invitation,
): Promise<SignInLink> {
  const token = makeToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + (invitation === undefined ? 1 : 7) * DAY_MS);
  await db.transaction().execute(async (tx) => {
    // The inviter may have been removed since its request was let in.
    if (invitation !== undefined && !(await holdOperator(tx, invitation.invitedBy)))
      throw refuse('console', 'SIGN_IN_REQUIRED');
    await insertSignInLink(tx, {
      id: ids.uuid(),
      tokenHash: hashToken(token),
      name: invitation?.name ?? null,
      invitedBy: invitation?.invitedBy ?? null,
      now,
      expiresAt,
    });
  });
  return { link: `${baseUrl}/sign-in#token=${token}`, expiresAt };
}

const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

type Address = Pick<Config, 'publicUrl' | 'basePath' | 'host' | 'port' | 'tlsCert'>;

/** Where people reach this server, as far as the configuration knows. `listening`: what it really listens on. */
export function webAddress(config: Address, listening?: string): string {
  if (config.publicUrl !== undefined) return config.publicUrl.replace(/\/$/, '');
  const port = listening === undefined ? config.port : Number(new URL(listening).port || 80);
  const host = EVERY_ADDRESS.has(config.host) ? 'localhost' : config.host;
  const scheme = config.tlsCert === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${config.basePath}`;
}
