/** Larger profiles are ignored. The largest in use, for printing presses, have about 2 MB. */
export const MAX_PROFILE_BYTES = 4_000_000;

const HEADER_BYTES = 128;
/** The classes that ISO 32000-2 §8.6.5.5 allows: input, display, output and colour space. */
const CLASSES = new Set(['scnr', 'mntr', 'prtr', 'spac']);
const SPACES: Readonly<Record<number, string>> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' };

/**
 * Returns an embedded profile if a PDF can use it: it needs a plausible header (ICC.1:2022 §7.2) and as many colour
 * components as the picture. Without a profile, the picture uses the device colours for its number of components.
 */
export function usableProfile(profile: Uint8Array | undefined, components: number): Uint8Array | undefined {
  if (profile === undefined || profile.length < HEADER_BYTES + 4 || profile.length > MAX_PROFILE_BYTES)
    return undefined;
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  const signature = (at: number) => String.fromCharCode(...profile.subarray(at, at + 4));
  const major = profile[8] ?? 0;
  const usable =
    view.getUint32(0) === profile.length &&
    major >= 2 &&
    major <= 4 &&
    CLASSES.has(signature(12)) &&
    signature(16) === SPACES[components] &&
    signature(36) === 'acsp';
  return usable ? profile : undefined;
}
