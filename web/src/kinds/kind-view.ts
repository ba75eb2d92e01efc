import type { ComponentType, ReactNode } from 'react';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import type { ShownValue } from '../canvas/content/shown-value.ts';

/** What the editor shows of an overlay kind. */
export interface KindView<Kind extends Overlay = Overlay> {
  /** The tool's button. */
  readonly Icon: ComponentType<{ readonly size: number }>;
  /** The preview row's value in the overlay's box. */
  Content(props: ContentProps<Kind>): ReactNode;
  /** Sections of the inspector by name, in order. A selection of several kinds shows those that all of them have. */
  readonly sections: Readonly<Record<string, ComponentType<SectionProps>>>;
  /** Title of the section that edits the value; `Value` if left out. */
  readonly valueTitle?: string;
}

export interface ContentProps<Kind extends Overlay = Overlay> {
  readonly overlay: Kind;
  readonly shown: ShownValue;
  readonly layout: Layout;
  /** The preview row; empty without rows. */
  readonly cells: readonly string[];
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

export interface SectionProps {
  readonly overlays: readonly Overlay[];
}
