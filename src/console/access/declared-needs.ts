import type { FastifyRequest } from 'fastify';
import type { Need } from '../contract/access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a person needs for this operator route. */
    needs?: Need;
  }
}

/** What a route needs. `public`: not even a session. */
export type Declared = Need | 'public';

/** The routes of a surface, `METHOD /route`, by what a person who acts for an account needs. */
export type SurfaceNeeds = Readonly<Partial<Record<Need, readonly string[]>>>;

interface Route {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly config?: { readonly needs?: Need; readonly public?: boolean } | undefined;
}

/** Returns what an operator route declares. A route without a declaration stops the start of the server. */
export function declaredNeed({ method, url, config }: Route): Declared {
  const declared = config?.public === true ? 'public' : config?.needs;
  if (declared === undefined)
    throw new Error(`bug: operator route ${method} ${url} does not declare what it needs`);
  return declared;
}

export const readDeclared = ({ routeOptions: { method, url = '', config } }: FastifyRequest): Declared =>
  declaredNeed({ method, url, config });

/** Finds what the routes of a surface need, as its table says. HEAD needs the same as GET. */
export class NeedTable {
  readonly #surface: string;
  readonly #needs: ReadonlyMap<string, Need>;

  constructor(surface: string, needs: SurfaceNeeds) {
    this.#surface = surface;
    const entries = Object.entries(needs) as [Need, readonly string[]][];
    this.#needs = new Map(entries.flatMap(([need, routes]) => routes.map((route) => [route, need] as const)));
  }

  find(methods: readonly string[], route: string): Need {
    const name = `${methods.join(',').replace('HEAD', 'GET')} ${route}`;
    const need = this.#needs.get(name);
    if (need === undefined)
      throw new Error(`bug: ${this.#surface} does not declare what ${name} needs from an operator`);
    return need;
  }
}
