import type { SourceFaceState } from '../fonts/source-face.ts';
import type { FillableType } from '../package/form-field-types.ts';
import type { Slot } from '../prepare/prepared-base.ts';
import type { FieldOption } from '../values/match-option.ts';
import type { FieldBarcode } from './barcode-field.ts';
import type { FieldFormat } from './scripts/field-format.ts';
import type { FormScripts } from './scripts/plan-scripts.ts';

/**
 * What filling native fields needs to know of them, without the source's object graph. JSON; part of the prepared base.
 */
export interface FormState {
  readonly flattened: boolean;
  /** Those that a layout maps, and those that are calculated from them. */
  readonly fields: readonly MappedField[];
  readonly scripts: FormScripts;
  /** Fonts of the source that values are set in. */
  readonly fonts: readonly SourceFaceState[];
}

export interface MappedField {
  readonly name: string;
  readonly type: FillableType;
  readonly maxLength: number | null;
  readonly multiline: boolean;
  /** Number of equal cells of a comb; 0 for running text. */
  readonly combCells: number;
  readonly password: boolean;
  /** How the field's own script would show the value. */
  readonly format: FieldFormat | null;
  /** How the value is drawn as a code instead of text. */
  readonly barcode: FieldBarcode | null;
  /** No widget shows the value. */
  readonly hidden: boolean;
  /** A dropdown that takes any text. */
  readonly editable: boolean;
  /** A list box in which several options may be chosen. */
  readonly multiSelect: boolean;
  /** The option that a list box shows first, unless a choice scrolls it. */
  readonly topIndex: number;
  readonly options: readonly FieldOption[];
  /** Dictionaries that carry the value; none once the form is flattened. */
  readonly holders: readonly FieldHolder[];
  readonly widgets: readonly MappedWidget[];
}

export interface FieldHolder {
  readonly num: number;
  /** The dictionary's text without /V and without its end. For a field that is its own widget see `MappedWidget.holder`. */
  readonly dict: string;
}

export interface MappedWidget {
  /** Index of the holder that is the same object as this widget, or null. */
  readonly holder: number | null;
  readonly num: number;
  /** The dictionary's text without /AP, /AS, /V and its end; empty once the form is flattened. */
  readonly dict: string;
  readonly look: WidgetLook;
  readonly onState: string | null;
  readonly option: number | null;
  /** The source's own pictures of the two states; null where it has none and ours is drawn. */
  readonly states: { readonly on: StatePicture | null; readonly off: StatePicture | null };
  /** False for a button without pictures of its states: ours are drawn. */
  readonly hasPictures: boolean;
  /** Flattened only: the slot that stands where the widget stood. */
  readonly slot: Slot | null;
}

/** An appearance stream of the source, and the matrix that brings it into the widget's rectangle on the page. */
export interface StatePicture {
  readonly num: number;
  readonly matrix: string;
}

/** How a widget wants its value to look (ISO 32000-2 §12.7.4.3, §12.5.6.19). */
export interface WidgetLook {
  /** Of the upright box the value is set in. */
  readonly width: number;
  readonly height: number;
  /** Form XObject dictionary up to the value of /Resources: BBox from the origin, and a matrix where the widget is turned. */
  readonly head: string;
  /** The same, with a matrix that leads to the widget's place on the page. */
  readonly placedHead: string;
  /** Operators for background and border, drawn below the value. */
  readonly ground: string;
  readonly padding: number;
  readonly font: 'sans' | 'serif' | 'mono';
  readonly bold: boolean;
  readonly italic: boolean;
  /** 0 lets the size follow the box. */
  readonly size: number;
  readonly color: string;
  readonly align: 'left' | 'center' | 'right';
  /** The field's own font, by its place in `FormState.fonts`; null where ours stands in. */
  readonly sourceFace?: number | null;
  readonly mark: 'check' | 'cross' | 'dot' | 'square';
}
