/**
 * URLs end up in logs and consoles, so a target that carries a credential or a presigned signature in its
 * query is refused by the parameter's name.
 */
const credentialNames = new Set([
  'token',
  'access_token',
  'auth',
  'authorization',
  'api_key',
  'apikey',
  'key',
  'secret',
  'client_secret',
  'password',
  'passwd',
  'sig',
  'signature',
  'credential',
  'jwt',
]);
const credentialPrefixes = ['x-amz-', 'x-goog-'];

/** The first parameter name that says "credential", as the caller wrote it (decoded). */
export function namesCredential(url: URL): string | undefined {
  // Some receivers still split at `;` as HTML 4 advised, so both readings are judged.
  const readings = [url.searchParams, new URLSearchParams(url.search.replaceAll(';', '&'))];
  for (const reading of readings) {
    for (const name of reading.keys()) {
      if (isCredential(name.trim().toLowerCase())) return name;
    }
  }
  return undefined;
}

function isCredential(name: string): boolean {
  return credentialNames.has(name) || credentialPrefixes.some((prefix) => name.startsWith(prefix));
}
