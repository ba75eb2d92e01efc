const SHOWN = 12;

/** Shortens the digests of the parts of a body, so that a person can compare them. Other values are left out. */
export function shortDigests(parts: Readonly<Record<string, unknown>>): Record<string, string> {
  const digests = Object.entries(parts).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !entry[0].endsWith('_raw') && /^[0-9a-f]{12,}$/i.test(entry[1]),
  );
  return Object.fromEntries(digests.map(([name, digest]) => [name, digest.slice(0, SHOWN)]));
}
