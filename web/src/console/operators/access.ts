/** A way into the console that exists now: a session. */
export interface Session {
  readonly id: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly is_current: boolean;
}

/** A link that can still be used. */
export interface PendingLink {
  readonly id: string;
  readonly kind: 'invitation' | 'sign-in' | 'first-operator';
  readonly for: string | null;
  readonly made_by: { readonly id: string; readonly name: string } | null;
  readonly created_at: string;
  readonly expires_at: string;
}

export const linkName = (link: PendingLink): string => link.for ?? 'the first operator';
