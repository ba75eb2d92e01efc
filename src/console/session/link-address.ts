/** localhost, 127.0.0.0/8 and ::1, with or without a port. Anything else in the header, such as `127.0.0.1@evil`, fails. */
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

export const RELATIVE_LINK_NOTE =
  'ROWPRESS_PUBLIC_URL is not set, so the link has no host. Put the address of this server in front of it, ' +
  'or set ROWPRESS_PUBLIC_URL to that address and restart the server.';

interface LinkSettings {
  readonly publicUrl: string | undefined;
  readonly basePath: string;
}

/**
 * What a sign-in link begins with. The request's Host header is not proof of this server's address: a link made from it
 * would take its token to any host that a client or a proxy names. So the header counts only if it names this machine;
 * otherwise the link is a path.
 */
export function linkAddress(
  request: { readonly protocol: string; readonly host: string },
  { publicUrl, basePath }: LinkSettings,
): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  return LOOPBACK_HOST.test(request.host) ? `${request.protocol}://${request.host}${basePath}` : basePath;
}
