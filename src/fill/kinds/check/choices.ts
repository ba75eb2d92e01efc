import {
  compileOptions,
  compileTick,
  type FieldOption,
  type MatchTick,
  noSuchOption,
  noTickWord,
} from '#fill/values/match-option.ts';
import type { Overlay } from '../overlay-schema.ts';
import type { CheckOverlay } from './schema.ts';

/** How a check mark reads its value, given the other marks of the layout. */
export interface CheckChoices {
  readonly match: MatchTick;
  /** The message for a value that no mark knows. */
  readonly unknown: string;
  /** Whether this mark reports an unknown value of a row: only the first mark of a choice group does. */
  isOnce(row: object): boolean;
}

/** The marks that read one value. */
interface Sharing {
  /** The `on_value` of every mark that has one, in the order of the layout. */
  readonly options: readonly FieldOption[];
  /** Rows whose unknown value was reported. */
  readonly reported: WeakSet<object>;
}

interface SharedValues {
  readonly byValue: ReadonlyMap<string, Sharing>;
  readonly byGroup: ReadonlyMap<string, Sharing>;
}

/**
 * In a *choice group*, only a mark's own `on_value` draws it, a blank draws none, and any other value is unknown to the whole
 * group. Other marks also know words such as yes and no (FILL15). They ignore a value that belongs to another mark of the same
 * value: it neither draws them nor is unknown.
 */
export function checkChoices(overlay: CheckOverlay, overlays: readonly Overlay[]): CheckChoices {
  const own = optionOf(overlay);
  const { byGroup, byValue } = sharedValues(overlays);
  const sharing = (overlay.group === undefined ? byValue : byGroup).get(keyOf(overlay));
  const options = sharing?.options ?? own;
  const ofAll = compileOptions(options);
  const isOwn = (index: number) => options[index]?.value === overlay.on_value;
  if (overlay.group === undefined) {
    const alone = compileTick(own);
    return {
      match: (text) => {
        const chosen = ofAll(text);
        return typeof chosen === 'number' && !isOwn(chosen) ? 'off' : alone(text);
      },
      unknown: `Check mark: ${noTickWord(own.map(({ value }) => value))}`,
      isOnce: () => true,
    };
  }
  return {
    match: (text) => {
      const chosen = ofAll(text);
      if (typeof chosen === 'number') return isOwn(chosen) ? 'on' : 'off';
      return chosen === 'clear' ? 'off' : 'unknown';
    },
    unknown: `The choice group ${overlay.group} ${noSuchOption(options)}`,
    isOnce: (row) => {
      if (sharing === undefined) return true;
      const isFirst = !sharing.reported.has(row);
      sharing.reported.add(row);
      return isFirst;
    },
  };
}

const optionOf = ({ on_value }: CheckOverlay): FieldOption[] =>
  on_value === undefined ? [] : [{ value: on_value, label: on_value }];

/** Marks of one group that read different values, a mistake in the layout, do not share their options. */
const keyOf = ({ group, value }: CheckOverlay) =>
  group === undefined ? JSON.stringify(value) : `${JSON.stringify(value)} ${group}`;

const known = new WeakMap<readonly Overlay[], SharedValues>();

/** Computed once per layout: a form may have thousands of marks. */
function sharedValues(overlays: readonly Overlay[]): SharedValues {
  const before = known.get(overlays);
  if (before !== undefined) return before;
  const checks = overlays.filter((overlay) => overlay.type === 'check');
  const shared = {
    byValue: sharingBy(checks, ({ value }) => JSON.stringify(value)),
    byGroup: sharingBy(
      checks.filter(({ group }) => group !== undefined),
      keyOf,
    ),
  };
  known.set(overlays, shared);
  return shared;
}

function sharingBy(
  checks: readonly CheckOverlay[],
  key: (check: CheckOverlay) => string,
): Map<string, Sharing> {
  return new Map(
    [...Map.groupBy(checks, key)].map(([name, marks]) => [
      name,
      { options: marks.flatMap(optionOf), reported: new WeakSet<object>() },
    ]),
  );
}
