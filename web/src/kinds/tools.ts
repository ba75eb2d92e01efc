import type { Overlay, OverlayType, OverlayWith } from '#fill/kinds/overlay-schema.ts';
import { barcodeTool } from './barcode/tool.ts';
import { checkTool } from './check/tool.ts';
import { dateTool } from './date/tool.ts';
import { imageTool } from './image/tool.ts';
import type { KindTool } from './kind-tool.ts';
import { qrTool } from './qr/tool.ts';
import { signatureTool } from './signature/tool.ts';
import { stickerTool } from './sticker/tool.ts';
import { tableTool } from './table/tool.ts';
import { textTool } from './text/tool.ts';

type EveryTool = { readonly [Type in OverlayType]: KindTool<Extract<Overlay, { type: Type }>> };

/** The tools of all overlay kinds, in the order of the toolbar. The compiler reports a kind of the engine that is missing. */
export const TOOLS: EveryTool = {
  text: textTool,
  date: dateTool,
  check: checkTool,
  qr: qrTool,
  barcode: barcodeTool,
  image: imageTool,
  signature: signatureTool,
  sticker: stickerTool,
  table: tableTool,
};

export const OVERLAY_TYPES = Object.keys(TOOLS) as readonly OverlayType[];

export function toolOf({ type }: { readonly type: OverlayType }): KindTool {
  return TOOLS[type] as KindTool;
}

export const isCode = (overlay: Overlay): overlay is OverlayWith<'isCode'> =>
  toolOf(overlay).traits.isCode === true;

export const isText = (overlay: Overlay): overlay is OverlayWith<'isText'> =>
  toolOf(overlay).traits.isText === true;

export const isSticker = (overlay: { readonly type: OverlayType }): boolean =>
  toolOf(overlay).traits.isSticker === true;
