import type { FastifyRequest } from 'fastify';

/** The authenticated caller: an account, through one of its keys, or an operator who acts for it. */
export interface Principal {
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: string;
  /** Callers without a key have `operator:<id>` or `certificate:<thumbprint>`. */
  readonly keyId: string;
  /** The operator who acts for the account. */
  readonly operator?: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  readonly partnerId: string | null;
  /** `null`: all warehouses. */
  readonly warehouses: readonly string[] | null;
}

export type KeyRefusal = 'keyRequired' | 'keyInvalid' | 'keyRevoked' | 'keyExpired' | 'accountInactive';

export type Authentication =
  | { readonly ok: true; readonly principal: Principal }
  | { readonly ok: false; readonly refusal: KeyRefusal };

/** Implemented by the key ring. The shell reads only the header and the address of the client (`TRUST_PROXY`). */
export type Authenticate = (token: string, surface: string, address: string) => Promise<Authentication>;

const principals = new WeakMap<FastifyRequest, Principal>();

export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal);
}

export function findPrincipal(request: FastifyRequest): Principal | undefined {
  return principals.get(request);
}

export function getPrincipal(request: FastifyRequest): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error('bug: a route without a key guard reads the caller');
  return principal;
}
