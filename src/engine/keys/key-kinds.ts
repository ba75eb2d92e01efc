/**
 * The API keys of one surface. A key reads `<prefix><public id>.<secret>`: the prefix names the surface, the public id finds
 * the record, and only a SHA-256 of the secret is stored. (A plain hash is enough: unlike a password, 40 random letters cannot
 * be guessed from it.)
 */
export interface KeyKind {
  readonly prefix: string;
  /** Scopes that a new key has by default: all of them. */
  readonly scopes: readonly string[];
  /** Scopes that a key has only if they are named when it is created. */
  readonly optionalScopes: readonly string[];
  /** Lifetime if neither the order nor a setting names one; null: no expiry. */
  readonly defaultDays: Lifetime | null;
  /** Maximum number of keys per account that are neither expired nor revoked; null: any number. */
  readonly maxLive: number | null;
  /** Whether the operator API limits how often an account's keys change. */
  readonly limitedChanges: boolean;
  /** Whether keys are bound to a partner and its warehouses. */
  readonly partnered: boolean;
}

export const lifetimes = [30, 90, 180, 365] as const;
export type Lifetime = (typeof lifetimes)[number];

/** The scope that a key needs to read the rows of another surface. */
export function readScope(surface: string): string {
  return `read:${surface}`;
}

/** The scope of keys whose layouts the server seals. */
export const SEAL_SCOPE = 'seal';

/** The default lifetime per surface, as the settings have it; null: no expiry. */
export type DefaultDays = Readonly<Record<string, Lifetime | null>>;

/** The kinds of all surfaces of an installation. */
export class KeyKinds {
  readonly #kinds: ReadonlyMap<string, KeyKind>;

  constructor(kinds: Readonly<Record<string, KeyKind>>) {
    this.#kinds = new Map(Object.entries(kinds));
  }

  get surfaces(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  get(surface: string): KeyKind {
    const kind = this.#kinds.get(surface);
    if (kind === undefined) throw new Error(`bug: no kind of key for the surface ${surface}`);
    return kind;
  }

  /** The first of `scopes` that a key of this surface cannot have. */
  findUnknownScope(surface: string, scopes: readonly string[] = []): string | undefined {
    const { scopes: usual, optionalScopes } = this.get(surface);
    return scopes.find((scope) => !usual.includes(scope) && !optionalScopes.includes(scope));
  }

  /** The surfaces whose kind has a trait, for messages: `ingest`. */
  namesWith(trait: (kind: KeyKind) => boolean): string {
    return this.surfaces.filter((surface) => trait(this.get(surface))).join(', ');
  }
}
