/**
 * Query parameters that carry credentials or presigned signatures. URLs appear in logs and consoles, so a target with
 * such a parameter is rejected.
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

/** Returns the first parameter name that suggests a credential, as the caller wrote it (decoded). */
export function namesCredential(url: URL): string | undefined {
  // Some receivers still split at `;` as HTML 4 recommended, so both forms are checked.
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
