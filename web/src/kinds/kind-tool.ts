import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import type { KindTraits, Unplaced } from '#fill/kinds/overlay-kind.ts';
import type { Overlay } from '#fill/package/layout-schema.ts';

/** What the editor's core needs of an overlay kind: names and facts, without React. */
export interface KindTool<Kind extends Overlay = Overlay> {
  /** Name in toolbars, lists and messages. */
  readonly name: string;
  /** Letters of the badge beside an overlay. */
  readonly badge: string;
  /** Single-key shortcut that chooses the tool. */
  readonly key: string;
  /** Facts and defaults from the engine. */
  readonly traits: KindTraits & { readonly defaults: Unplaced<Kind> };
  /** Kinds with the trait `isCode`: how the canvas encodes and checks them. */
  readonly code?: CodeTool<Kind>;
  /** The text that an overlay shows instead of a value, or undefined if it has a value. */
  label?(overlay: Kind): string | undefined;
}

export interface CodeTool<Kind extends Overlay = Overlay> {
  /** Identifies the symbol of a value: equal keys give equal symbols. */
  key(overlay: Kind, value: string): string;
  /** Side of the smallest module that scanners read, in points. */
  leastModule(overlay: Kind): number;
  encode(overlay: Kind, value: string): Promise<EncodedCode>;
}

export type EncodedCode = ModuleGrid | { readonly invalid: string };
