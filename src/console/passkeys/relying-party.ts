import { isIP } from 'node:net';
import { refuse } from '../errors.ts';
import { linkAddress } from '../session/link-address.ts';

/** The party that passkeys belong to (WebAuthn, section 5.4.2): a host name, and the origin of the pages that use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the relying party of this installation: the host of ROWPRESS_PUBLIC_URL or, if it is not set, the host of a request to a loopback
 * address. Browsers create passkeys only for host names, and only over https or on localhost.
 */
export function relyingPartyOf(
  request: { readonly protocol: string; readonly host: string },
  publicUrl: string | undefined,
): RelyingParty {
  const address = linkAddress(request, { publicUrl, basePath: '' });
  if (address === '')
    throw unsuitable(`the request named the host "${request.host}", and ROWPRESS_PUBLIC_URL is not set.`);
  const { protocol, hostname, port, origin } = new URL(address);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    const instead = `${protocol}//localhost${port && `:${port}`}`;
    const help = publicUrl === undefined ? ` Open ${instead} instead.` : '';
    throw unsuitable(`the address is ${origin}.${help}`);
  }
  if (protocol !== 'https:' && !/(^|\.)localhost$/.test(hostname))
    throw unsuitable(`ROWPRESS_PUBLIC_URL is ${origin}.`);
  return { id: hostname, origin };
}

const unsuitable = (found: string) =>
  refuse(
    'PASSKEY_ADDRESS_UNSUITABLE',
    `Passkeys need an https address with a host name in ROWPRESS_PUBLIC_URL, or localhost; ${found}`,
  );
