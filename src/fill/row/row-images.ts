import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import type { PdfImage } from './images/pdf-image.ts';

/** Pictures that travel with one row. The same picture used twice is written once. */
export class RowImages {
  #used: Map<PdfImage, string> | undefined; // most rows have none

  /** The XObject name to draw it by. */
  use(image: PdfImage): string {
    this.#used ??= new Map();
    let name = this.#used.get(image);
    if (name === undefined) {
      name = `J${this.#used.size}`;
      this.#used.set(image, name);
    }
    return name;
  }

  finish(numbers: ObjectNumbers): { readonly objects: readonly PdfObject[]; readonly entries: string } {
    const objects: PdfObject[] = [];
    let entries = '';
    for (const [image, name] of this.#used ?? []) {
      const written = image.write(numbers);
      objects.push(...written.objects);
      entries += `/${name} ${written.num} 0 R`;
    }
    return { objects, entries };
  }
}
