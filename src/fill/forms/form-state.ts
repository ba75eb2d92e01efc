import type { SourceFaceState } from '../fonts/source-face.ts';
import type { FillableType } from '../package/form-field-types.ts';
import type { Slot } from '../prepare/prepared-base.ts';
import type { FieldOption } from '../values/match-option.ts';
import type { FieldBarcode } from './barcode-field.ts';
import type { FieldFormat } from './scripts/field-format.ts';
import type { FormScripts } from './scripts/plan-scripts.ts';

/**
 * The data for filling native fields, without the source's object graph. JSON; part of the prepared base.
 */
export interface FormState {
  readonly flattened: boolean;
  /** The mapped fields, and the fields that are calculated from them. */
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
  /** The format that the field's own script applies. */
  readonly format: FieldFormat | null;
  /** Set if the value is drawn as a barcode instead of text. */
  readonly barcode: FieldBarcode | null;
  /** No widget shows the value. */
  readonly hidden: boolean;
  /** A dropdown that accepts any text. */
  readonly editable: boolean;
  /** A list box in which several options may be chosen. */
  readonly multiSelect: boolean;
  /** The option that a list box shows first, unless a choice scrolls it. */
  readonly topIndex: number;
  readonly options: readonly FieldOption[];
  /** Dictionaries that contain the value; empty if the form is flattened. */
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
  /** The dictionary's text without /AP, /AS, /V and its end; empty if the form is flattened. */
  readonly dict: string;
  readonly look: WidgetLook;
  readonly onState: string | null;
  readonly option: number | null;
  /** The source's own pictures of the two states; null if it has none and the engine draws them. */
  readonly states: { readonly on: StatePicture | null; readonly off: StatePicture | null };
  /** False for a button without pictures of its states; the engine draws them. */
  readonly hasPictures: boolean;
  /** The slot at the widget's position. Flattened forms only. */
  readonly slot: Slot | null;
}

/** An appearance stream of the source, and the matrix that maps it to the widget's rectangle on the page. */
export interface StatePicture {
  readonly num: number;
  readonly matrix: string;
}

/** The appearance settings of a widget (ISO 32000-2 §12.7.4.3, §12.5.6.19). */
export interface WidgetLook {
  /** Size of the upright box that contains the value. */
  readonly width: number;
  readonly height: number;
  /** Form XObject dictionary up to the value of /Resources: BBox from the origin, and a matrix if the widget is rotated. */
  readonly head: string;
  /** The same, with a matrix that maps to the widget's position on the page. */
  readonly placedHead: string;
  /** Operators for background and border, drawn below the value. */
  readonly ground: string;
  readonly padding: number;
  readonly font: 'sans' | 'serif' | 'mono';
  readonly bold: boolean;
  readonly italic: boolean;
  /** 0 means automatic: the size depends on the box. */
  readonly size: number;
  readonly color: string;
  readonly align: 'left' | 'center' | 'right';
  /** The field's own font, as an index in `FormState.fonts`; null if a bundled face replaces it. */
  readonly sourceFace?: number | null;
  readonly mark: 'check' | 'cross' | 'dot' | 'square';
}
