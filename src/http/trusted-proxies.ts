import { BlockList, isIP } from 'node:net';
import type { TrustProxy } from '#config/parse-values.ts';

/** The names of these networks in proxy-addr, which Fastify uses. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Reports whether the peer at this address is trusted to name the previous one; `hop` counts from 0, the direct peer. */
export type TrustsProxy = (address: string | undefined, hop: number) => boolean;

/**
 * Compiles TRUST_PROXY. A number of hops is a function here because Fastify ignores plain numbers: it cannot verify
 * that the direct peer is a proxy. An operator who sets a number must make sure that only proxies can reach the port.
 */
export function trustedProxies(setting: TrustProxy): TrustsProxy {
  if (setting === false) return () => false;
  if (typeof setting === 'number') return (_address, hop) => hop < setting;
  const list = new BlockList();
  for (const entry of setting.flatMap((name) => NETWORKS[name] ?? [name])) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address = '') => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}
