import { MAX_PROFILE_BYTES } from './icc-profile.ts';
import { checkedSize, ImageInvalid } from './image-invalid.ts';
import { type Orientation, orientationOf } from './orientation.ts';

/** The properties of a JPEG that its segments contain (ISO/IEC 10918-1 Annex B). */
export interface JpegSegments {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Has Adobe's APP14 marker: CMYK values are inverted. */
  readonly adobe: boolean;
  readonly orientation: Orientation;
  readonly profile: Uint8Array | undefined;
}

const SOS = 0xda;
const EOI = 0xd9;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const EXIF = 'Exif\0\0';
const ICC = 'ICC_PROFILE\0';

const cutShort = () => new ImageInvalid('the picture is cut short');

/**
 * Reads all segments and scans up to the end marker. A truncated file has no end marker: a viewer would draw the part
 * that exists and leave the rest grey.
 */
export function readJpegSegments(bytes: Uint8Array): JpegSegments {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frame: Pick<JpegSegments, 'width' | 'height' | 'components'> | undefined;
  let adobe = false;
  let orientation: Orientation | undefined;
  let scans = 0;
  const profile: ProfileChunk[] = [];
  let at = 2;
  for (;;) {
    if (at + 2 > bytes.length) throw frame === undefined ? noFrame() : cutShort();
    if (bytes[at] !== 0xff) throw new ImageInvalid('the picture is damaged');
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill bytes
      continue;
    }
    if (marker === EOI) break;
    if (isAlone(marker)) {
      at += 2;
      continue;
    }
    if (at + 4 > bytes.length) throw cutShort();
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length) throw cutShort();
    const body = bytes.subarray(at + 4, end);
    if (isFrameHeader(marker)) frame ??= readFrame(body);
    else if (marker === APP1 && begins(body, EXIF)) orientation ??= orientationOf(body.subarray(EXIF.length));
    else if (marker === APP2 && begins(body, ICC)) profile.push(profileChunk(body));
    else if (marker === APP14 && begins(body, 'Adobe')) adobe = true;
    at = end;
    if (marker !== SOS) continue;
    if (frame === undefined) throw noFrame();
    at = endOfScan(bytes, end);
    if (at > end) scans += 1;
  }
  if (frame === undefined) throw noFrame();
  if (scans === 0) throw new ImageInvalid('the picture has no pixels');
  return { ...frame, adobe, orientation: orientation ?? 1, profile: joinedProfile(profile) };
}

const noFrame = () => new ImageInvalid('the picture has no frame');

/** Finds the next marker after a scan's data. Inside the data, 0xFF is followed by 0x00 or by a restart marker. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; ) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2);
  }
  throw cutShort();
}

/** Markers without a length: TEM, restart markers, and a second start. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Baseline, extended and progressive frames; PDF does not support lossless and arithmetic ones. */
function isFrameHeader(marker: number): boolean {
  if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) return true;
  const other = marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
  if (other) throw new ImageInvalid('a JPEG of a kind that PDF does not support');
  return false;
}

function readFrame(body: Uint8Array) {
  if (body.length < 6) throw cutShort();
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== 8) throw new ImageInvalid('a JPEG of more than 8 bits');
  const size = checkedSize(view.getUint16(3), view.getUint16(1));
  return { ...size, components: view.getUint8(5) };
}

/** A profile above 64 kB is split into segments that are numbered from 1 (ICC.1:2022 Annex B.4). */
interface ProfileChunk {
  readonly number: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

function profileChunk(body: Uint8Array): ProfileChunk {
  const head = ICC.length;
  return { number: body[head] ?? 0, count: body[head + 1] ?? 0, bytes: body.subarray(head + 2) };
}

/** Returns undefined if a chunk is missing or duplicated. */
function joinedProfile(chunks: readonly ProfileChunk[]): Uint8Array | undefined {
  const ordered = [...chunks].sort((a, b) => a.number - b.number);
  const length = ordered.reduce((total, { bytes }) => total + bytes.length, 0);
  const whole = ordered.every(({ number, count }, index) => number === index + 1 && count === ordered.length);
  if (!whole || length === 0 || length > MAX_PROFILE_BYTES) return undefined;
  const profile = new Uint8Array(length);
  let at = 0;
  for (const { bytes } of ordered) {
    profile.set(bytes, at);
    at += bytes.length;
  }
  return profile;
}

function begins(bytes: Uint8Array, text: string): boolean {
  if (bytes.length < text.length) return false;
  for (let index = 0; index < text.length; index += 1)
    if (bytes[index] !== text.charCodeAt(index)) return false;
  return true;
}
