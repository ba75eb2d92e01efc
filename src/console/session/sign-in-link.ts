import { createHash } from 'node:crypto';
import type { Config } from '#config.ts';
import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import { randomToken } from '#lib/random-token.ts';
import { holdOperator, type RoleRecord } from '#storage/console/operators.ts';
import { insertSignInLink } from '#storage/console/sign-in-links.ts';
import type { Db, Tx } from '#storage/database.ts';
import { refuse } from '../errors.ts';

/** 43 letters and digits are 256 bits and cannot be guessed, so a plain hash is stored (see engine/keys/key-kinds.ts). */
const TOKEN_LENGTH = 43;
const DAY_MS = 86_400_000;

export const makeToken = () => randomToken(TOKEN_LENGTH);
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface SignInLink {
  readonly link: string;
  readonly expiresAt: Date;
}

/** The operator that a link is for, and the one who created it; without `by`, a command or a start created it. */
export type LinkPurpose =
  | { readonly kind: 'first-operator' }
  | { readonly kind: 'invitation'; readonly name: string; readonly by: string; readonly role: RoleRecord }
  | { readonly kind: 'operator'; readonly operatorId: string; readonly by?: string };

const OPERATOR: RoleRecord = { role: 'operator', accountId: null };
const DAYS_VALID = { 'first-operator': 1, invitation: 7, operator: 1 } as const;

/**
 * Creates a link that signs in once. The token follows `#`, so browsers do not send it with the page's address and no log
 * holds it; the page posts it. `alongside` commits with the link.
 */
export async function makeSignInLink(
  { db, clock, ids }: { readonly db: Db; readonly clock: Clock; readonly ids: Ids },
  baseUrl: string,
  purpose: LinkPurpose = { kind: 'first-operator' },
  alongside?: (tx: Tx) => Promise<void>,
): Promise<SignInLink> {
  const token = makeToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + DAYS_VALID[purpose.kind] * DAY_MS);
  const by = 'by' in purpose ? (purpose.by ?? null) : null;
  await db.transaction().execute(async (tx) => {
    // Both may have been removed, or got another role, since the request was authenticated.
    if (by !== null && (await holdOperator(tx, by))?.role !== 'operator') throw refuse('SIGN_IN_REQUIRED');
    if (purpose.kind === 'operator' && (await holdOperator(tx, purpose.operatorId)) === undefined)
      throw refuse('NOT_FOUND', 'There is no such operator.');
    await insertSignInLink(tx, {
      id: ids.uuid(),
      tokenHash: hashToken(token),
      name: purpose.kind === 'invitation' ? purpose.name : null,
      operatorId: purpose.kind === 'operator' ? purpose.operatorId : null,
      role: purpose.kind === 'invitation' ? purpose.role : OPERATOR,
      invitedBy: by,
      now,
      expiresAt,
    });
    await alongside?.(tx);
  });
  return { link: `${baseUrl}/sign-in#token=${token}`, expiresAt };
}

const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

type Address = Pick<Config, 'publicUrl' | 'basePath' | 'host' | 'port' | 'tlsCert'>;

/** Returns the address of the web app according to the configuration. `listening` is the address that the server listens on. */
export function webAddress(config: Address, listening?: string): string {
  if (config.publicUrl !== undefined) return config.publicUrl.replace(/\/$/, '');
  const port = listening === undefined ? config.port : Number(new URL(listening).port || 80);
  const host = EVERY_ADDRESS.has(config.host) ? 'localhost' : config.host;
  const scheme = config.tlsCert === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${config.basePath}`;
}
