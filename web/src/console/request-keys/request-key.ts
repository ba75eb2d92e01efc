/** What a request key (Idempotency-Key, correlation id) stands for. */
export interface RequestKey {
  readonly key: string;
  readonly surface: string;
  readonly scope: string;
  readonly account: string;
  readonly job: {
    readonly id: string;
    readonly public_id: string;
    readonly kind: string;
    readonly state: 'queued' | 'processing' | 'completed' | 'failed' | null;
  } | null;
  readonly response: { readonly status: number; readonly media_type: string | null } | null;
  readonly first_request_id: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly body_parts: Readonly<Record<string, string>>;
}

/** A request that used the key for something else and was refused. */
export interface Conflict {
  readonly at: string;
  readonly account: string;
  readonly surface: string;
  readonly request_id: string;
  readonly differs_in: readonly string[];
}

export interface KeyAnswer {
  readonly items: readonly RequestKey[];
  readonly conflicts: readonly Conflict[];
}
