import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import type { PdfImage } from './images/pdf-image.ts';

/**
 * Pictures that one row embeds. A picture that is used twice is written once. Pictures are compared by content, because
 * earlier rows determine whether a picture was read once or twice.
 */
export class RowImages {
  #used: Map<string, { readonly name: string; readonly image: PdfImage }> | undefined; // most rows have none

  /** Returns the XObject name of the picture. */
  use(image: PdfImage): string {
    this.#used ??= new Map();
    let used = this.#used.get(image.digest);
    if (used === undefined) {
      used = { name: `J${this.#used.size}`, image };
      this.#used.set(image.digest, used);
    }
    return used.name;
  }

  finish(numbers: ObjectNumbers): { readonly objects: readonly PdfObject[]; readonly entries: string } {
    const objects: PdfObject[] = [];
    let entries = '';
    for (const [digest, { name, image }] of this.#used ?? []) {
      const written = image.write(numbers);
      objects.push(...written.objects);
      numbers.note(digest, written.num);
      entries += `/${name} ${written.num} 0 R`;
    }
    return { objects, entries };
  }
}
