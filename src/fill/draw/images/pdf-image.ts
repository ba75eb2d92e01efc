import { zlibSync } from 'fflate';
import { stream } from '#fill/fonts/pdf-font.ts';
import type { ObjectNumbers, PdfObject } from '#fill/write/tail-object.ts';
import { type Orientation, swapsSides } from './orientation.ts';

/** A picture ready to become an image XObject (ISO 32000-2 §8.9.5). */
export interface PdfImage {
  /** As displayed, after `orientation`. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** SHA-256 of the picture file. Two pictures with the same digest are the same picture. */
  readonly digest: string;
  /** Memory that the picture uses while it is cached. */
  readonly heldBytes: number;
  write(numbers: ObjectNumbers): { readonly num: number; readonly objects: readonly PdfObject[] };
}

export interface ImageParts {
  /** As stored. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly digest: string;
  readonly components: number;
  /** The rest of the /Indexed array of a picture with a palette. */
  readonly palette?: string;
  readonly profile: Uint8Array | undefined;
  /** The dictionary after /ColorSpace. */
  readonly entries: string;
  readonly data: Uint8Array;
  readonly mask?: { readonly entries: string; readonly data: Uint8Array };
}

const DEVICE_SPACES: Readonly<Record<number, string>> = {
  1: '/DeviceGray',
  3: '/DeviceRGB',
  4: '/DeviceCMYK',
};

/** Rows number their objects alike, so the serialised form is rebuilt only when its object numbers change. */
export function pdfImage(parts: ImageParts): PdfImage {
  const { width, height, orientation, digest, components, profile, mask, data } = parts;
  const size = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}`;
  const device = DEVICE_SPACES[components];
  if (device === undefined) throw new Error(`bug: a picture of ${components} components`);
  const deflated = profile === undefined ? undefined : zlibSync(profile, { level: 9 });
  const profileBody =
    deflated && stream(0, deflated, `/N ${components}/Alternate${device}/Filter/FlateDecode`, false).body;
  const maskBody = mask && stream(0, mask.data, `${size}/ColorSpace/DeviceGray${mask.entries}`, false).body;
  let written:
    | { readonly maskNum: number; readonly profileNum: number; readonly body: Uint8Array }
    | undefined;
  const body = (maskNum: number, profileNum: number): Uint8Array => {
    if (written?.maskNum !== maskNum || written.profileNum !== profileNum) {
      const own = profileNum === 0 ? device : `[/ICCBased ${profileNum} 0 R]`;
      const space = parts.palette === undefined ? own : `[/Indexed${own}${parts.palette}]`;
      const soft = maskNum === 0 ? '' : `/SMask ${maskNum} 0 R`;
      const entries = `${size}/ColorSpace${space}${parts.entries}${soft}`;
      written = { maskNum, profileNum, body: stream(0, data, entries, false).body };
    }
    return written.body;
  };
  const turned = swapsSides(orientation);
  return {
    width: turned ? height : width,
    height: turned ? width : height,
    orientation,
    digest,
    heldBytes: 2 * data.length + (maskBody?.length ?? 0) + (profileBody?.length ?? 0),
    write: (numbers) => {
      const num = numbers.next();
      const maskNum = maskBody === undefined ? 0 : numbers.next();
      const profileNum = profileBody === undefined ? 0 : numbers.next();
      const objects = [{ num, body: body(maskNum, profileNum) }];
      if (maskBody !== undefined) objects.push({ num: maskNum, body: maskBody });
      if (profileBody !== undefined) objects.push({ num: profileNum, body: profileBody });
      return { num, objects };
    },
  };
}
