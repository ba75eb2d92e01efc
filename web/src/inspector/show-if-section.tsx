import { Plus, X } from 'lucide-react';
import type { Condition, Overlay, ShowIf } from '#fill/package/layout-schema.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { ColumnOptions, useColumnChoices } from './column-options.tsx';
import { common, setOptional } from './edit-selected.ts';
import styles from './inspector.module.css';
import { Section } from './section.tsx';
import { conditionsOf, joinConditions, listText, type Test, testOf, withTest, withText } from './show-if.ts';

const TESTS: readonly (readonly [Test, string])[] = [
  ['equals', 'is'],
  ['not_equals', 'is not'],
  ['in', 'is one of'],
  ['not_in', 'is none of'],
  ['filled', 'is filled'],
  ['blank', 'is blank'],
];

/** When a field is drawn: always, or if columns meet conditions. */
export function ShowIfSection({ overlays }: { overlays: readonly Overlay[] }) {
  const showIf = common(overlays, (overlay) => overlay.show_if ?? null);
  const { conditions, join } = conditionsOf(showIf ?? undefined);
  const choices = useColumnChoices(conditions.map(({ column }) => column));
  const set = (next: ShowIf | undefined) => setOptional('condition', 'show_if', next);
  const replace = (index: number, condition: Condition | null) =>
    set(
      joinConditions(
        conditions.flatMap((before, at) => (at === index ? (condition ?? []) : before)),
        join,
      ),
    );
  const add = () => {
    const column = choices[0]?.key ?? 'column_0';
    set(joinConditions([...conditions, { column, blank: false }], join));
  };
  return (
    <Section
      title="Show if"
      aside={
        <IconButton label="Add a condition" resting={conditions.length >= 20} onClick={add}>
          <Plus size={14} />
        </IconButton>
      }
    >
      {showIf === undefined && <p className={styles.note}>Mixed. A new condition replaces theirs.</p>}
      {showIf === null && <p className={styles.note}>Always shown.</p>}
      {conditions.length > 1 && (
        <SelectField
          label="Shown when"
          value={join}
          onChange={(event) => set(joinConditions(conditions, event.target.value as 'all'))}
        >
          <option value="all">all of these hold</option>
          <option value="any">any of these holds</option>
        </SelectField>
      )}
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
        <div key={index} className={styles.condition}>
          <div className={styles.row}>
            <SelectField
              label={`Column of condition ${index + 1}`}
              hideLabel
              value={condition.column}
              onChange={(event) => replace(index, { ...condition, column: event.target.value })}
            >
              <ColumnOptions choices={choices} />
            </SelectField>
            <IconButton label={`Remove condition ${index + 1}`} onClick={() => replace(index, null)}>
              <X size={14} />
            </IconButton>
          </div>
          <div className={styles.row}>
            <SelectField
              label={`Test of condition ${index + 1}`}
              hideLabel
              value={testOf(condition)}
              onChange={(event) => replace(index, withTest(condition, event.target.value as Test))}
            >
              {TESTS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
            {condition.blank === undefined && (
              <TextField
                key={listText(condition)}
                label={`Value of condition ${index + 1}`}
                hideLabel
                defaultValue={listText(condition)}
                onBlur={(event) => replace(index, withText(condition, event.target.value))}
              />
            )}
          </div>
          {(condition.in ?? condition.not_in) !== undefined && (
            <p className={styles.note}>Separated by commas.</p>
          )}
        </div>
      ))}
      {conditions.length > 0 && (
        <Button look="quiet" onClick={() => set(undefined)}>
          Always show
        </Button>
      )}
    </Section>
  );
}
