import { ACTING_PREFIX, consoleDialect } from '#console/dialect.ts';
import { operatorRoutes as allRoutes, type OperatorRoute } from '../../scripts/operator-routes.ts';

/** The routes of the operator API itself, below its prefix. */
export async function operatorRoutes(): Promise<OperatorRoute[]> {
  return (await allRoutes())
    .filter(({ url }) => !url.startsWith(ACTING_PREFIX))
    .map((route) => ({ ...route, url: route.url.slice(consoleDialect.prefix.length) }));
}
