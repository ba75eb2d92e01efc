/** What passkeys need from the browser and the address of the page. */
export interface PasskeySupport {
  readonly isSecureContext: boolean;
  readonly hostname: string;
  readonly hasWebAuthn: boolean;
}

export const readSupport = (): PasskeySupport => ({
  isSecureContext: window.isSecureContext,
  hostname: window.location.hostname,
  hasWebAuthn:
    typeof window.PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in window.PublicKeyCredential,
});

const LOOPBACK_ADDRESS = /^(127(\.\d+){3}|\[::1\])$/;
const IP_ADDRESS = /^(\d+(\.\d+){3}|\[.*\])$/;

/** Why passkeys do not work here, in plain words; undefined if they do. `localhost` is set if the same page works there. */
export function passkeyObstacle(
  support: PasskeySupport,
): { readonly reason: string; readonly localhost?: true } | undefined {
  const { isSecureContext, hostname, hasWebAuthn } = support;
  if (LOOPBACK_ADDRESS.test(hostname))
    return { reason: `Passkeys need a host name, and ${hostname} is an IP address.`, localhost: true };
  if (!isSecureContext) return { reason: 'Passkeys need https, and this page was opened over http.' };
  if (IP_ADDRESS.test(hostname))
    return { reason: `Passkeys need a host name, and ${hostname} is an IP address.` };
  if (!hasWebAuthn) return { reason: 'This browser does not support passkeys. A newer version may.' };
  return undefined;
}

/** The error of a passkey dialog of the browser, in plain words. */
export function passkeyProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError')
    return 'Nothing was confirmed: the request was cancelled, it timed out, or this device has no passkey for this server.';
  if (name === 'InvalidStateError') return 'This device already has a passkey for you. Use another device.';
  if (name === 'SecurityError')
    return 'This page was opened at another address than the one that passkeys of this server belong to. Open the address in ROWPRESS_PUBLIC_URL.';
  if (name === 'NotSupportedError' || name === 'ConstraintError')
    return 'This device cannot store a passkey that is protected by a PIN, a fingerprint or a face.';
  if (error instanceof TypeError) return 'Cannot reach the server. Check that it is running.';
  return error instanceof Error ? error.message : String(error);
}
