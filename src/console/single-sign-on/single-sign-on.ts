import type { Config } from '#config.ts';
import type { Clock } from '#lib/clock.ts';
import type { RoleMapping } from './claimed-person.ts';
import { IdentityProvider } from './identity-provider.ts';
import { readProviderSettings } from './provider-settings.ts';

/** Sign-in with OpenID Connect, as configured. */
export interface SingleSignOn {
  readonly provider: IdentityProvider;
  readonly mapping: RoleMapping;
  /** Text of the button. */
  readonly label: string;
}

/** Returns undefined if single sign-on is off, or if its settings are wrong; then `warn` is called with the reason. */
export function buildSingleSignOn(
  config: Config,
  clock: Clock,
  warn: (problem: string) => void,
): SingleSignOn | undefined {
  const read = readProviderSettings(config);
  if (read.kind === 'wrong') warn(read.problem);
  if (read.kind !== 'on') return undefined;
  return {
    provider: new IdentityProvider(read.settings, clock),
    mapping: { claim: config.oidcRoleClaim, roles: config.oidcRoles },
    label: config.oidcLabel,
  };
}
