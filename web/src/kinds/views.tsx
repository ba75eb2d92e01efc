import type { Overlay, OverlayType } from '#fill/kinds/overlay-schema.ts';
import { barcodeView } from './barcode/view.tsx';
import { checkView } from './check/view.tsx';
import { dateView } from './date/view.tsx';
import { imageView } from './image/view.tsx';
import type { KindView } from './kind-view.ts';
import { qrView } from './qr/view.tsx';
import { signatureView } from './signature/view.tsx';
import { stickerView } from './sticker/view.tsx';
import { tableView } from './table/view.tsx';
import { textView } from './text/view.tsx';

type EveryView = { readonly [Type in OverlayType]: KindView<Extract<Overlay, { type: Type }>> };

/** The views of all overlay kinds. The compiler reports a kind of the engine that is missing. */
const VIEWS: EveryView = {
  text: textView,
  date: dateView,
  check: checkView,
  qr: qrView,
  barcode: barcodeView,
  image: imageView,
  signature: signatureView,
  sticker: stickerView,
  table: tableView,
};

export function viewOf({ type }: { readonly type: OverlayType }): KindView {
  return VIEWS[type] as KindView;
}
