import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { TOOLS } from '../../kinds/tools.ts';
import { ownName } from '../overlays/field-name.ts';
import { columnsOf } from '../overlays/value-words.ts';

/** Fields that nobody has given a value yet. */
export interface UnfilledFields {
  /** Ids of all of them, in the order of the layout. */
  readonly ids: readonly string[];
  /** Names of the fields without a value. They stay empty in every document. */
  readonly empty: readonly string[];
  /** Names of the fields that have the value with which they were created. Every document shows it. */
  readonly samples: readonly string[];
  /** Whether no field reads a column, so that all documents are the same. */
  readonly readsNoColumn: boolean;
}

/** Returns what a run over several rows would leave empty or repeat; null if nothing. */
export function unfilledFields(
  layout: Layout,
  isUnmapped: (overlay: Overlay) => boolean,
  rowCount: number,
): UnfilledFields | null {
  const fields = [...layout.overlays, ...layout.form_fields];
  const readsNoColumn =
    rowCount > 1 && fields.every((field) => field.show_if === undefined && columnsOf(field).length === 0);
  const unfilled = layout.overlays.filter((overlay) => isUnmapped(overlay) || isSample(overlay));
  if (unfilled.length === 0 && !readsNoColumn) return null;
  const name = (overlay: Overlay) => ownName(layout, overlay);
  return {
    ids: unfilled.map(({ id }) => id),
    empty: unfilled.filter((overlay) => !isSample(overlay)).map(name),
    samples: unfilled.filter(isSample).map(name),
    readsNoColumn,
  };
}

/** Whether a field still has the value with which it was created. */
function isSample({ type, value }: Overlay): boolean {
  const { defaults } = TOOLS[type].traits;
  if (value === undefined || !('static' in value) || !('value' in defaults)) return false;
  const made = defaults.value;
  return made !== undefined && 'static' in made && made.static !== '' && made.static === value.static;
}
