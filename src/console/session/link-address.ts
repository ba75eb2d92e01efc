/** localhost, 127.0.0.0/8 and ::1, with or without a port. Anything else in the header, such as `127.0.0.1@evil`, fails. */
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host);

export const RELATIVE_LINK_NOTE =
  'ROWPRESS_PUBLIC_URL is not set, so the link has no host. Put the address of this server in front of it, ' +
  'or set ROWPRESS_PUBLIC_URL to that address and restart the server.';

interface LinkSettings {
  readonly publicUrl: string | undefined;
  readonly basePath: string;
}

/**
 * Returns the start of a sign-in link. The Host header does not prove this server's address: a link built from it would send
 * its token to any host that a client or a proxy names. The header is used only if it names this machine; otherwise the link
 * is a path.
 */
export function linkAddress(
  request: { readonly protocol: string; readonly host: string },
  { publicUrl, basePath }: LinkSettings,
): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  return isLoopbackHost(request.host) ? `${request.protocol}://${request.host}${basePath}` : basePath;
}
