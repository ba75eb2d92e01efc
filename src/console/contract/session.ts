import { z } from 'zod';
import { need, role } from './access.ts';
import { listOf, pageOf } from './list.ts';

const named = z.strictObject({ id: z.string(), name: z.string() });

export const accountChoice = z.strictObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  active: z.boolean(),
});
export type AccountChoice = z.infer<typeof accountChoice>;

export const signedIn = z.strictObject({
  signed_in: z.literal(true),
  operator: named,
  role,
  /** The account of a designer or runner; null: all accounts. */
  account: named.nullable(),
  /** What the role allows. */
  may: listOf(need),
  /** The CSRF token that the client must return with every unsafe request. */
  csrf_token: z.string(),
  accounts: listOf(accountChoice),
});
export type SignedIn = z.infer<typeof signedIn>;

export const signedOut = z.strictObject({ signed_in: z.literal(false) });
export const session = z.discriminatedUnion('signed_in', [signedIn, signedOut]);
export type Session = z.infer<typeof session>;

/** A session of any operator, as the list shows it. */
export const listedSession = z.strictObject({
  id: z.string(),
  operator: named,
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  is_current: z.boolean(),
});
export type ListedSession = z.infer<typeof listedSession>;
export const listedSessionPage = pageOf(listedSession);

export const revokedSessions = z.strictObject({ revoked: z.number() });
export type RevokedSessions = z.infer<typeof revokedSessions>;

/** A link that has not been used and has not expired. */
export const pendingLink = z.strictObject({
  id: z.string(),
  kind: z.enum(['invitation', 'sign-in', 'first-operator']),
  for: z.string().nullable(),
  role,
  account: named.nullable(),
  /** Null if a command or the server itself created the link. */
  made_by: z.strictObject({ id: z.string(), name: z.string().nullable() }).nullable(),
  created_at: z.string(),
  expires_at: z.string(),
});
export type PendingLink = z.infer<typeof pendingLink>;
export const pendingLinkPage = pageOf(pendingLink);
