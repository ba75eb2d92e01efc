import { Plus, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import type { Layout, ValueSource } from '#fill/package/layout-schema.ts';
import { focusOverlay } from '../../canvas/canvas-host.ts';
import { badges } from '../../core/overlays/badges.ts';
import {
  addBox,
  boxesOf,
  groupAsChoices,
  groupOf,
  renameGroup,
  ungroup,
  wholeGroup,
} from '../../core/overlays/choice-groups.ts';
import { patchOverlays, removeOverlays } from '../../core/overlays/patch-overlays.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { type DistinctValues, engine } from '../../engine/engine-client.ts';
import styles from '../../inspector/inspector.module.css';
import { Section } from '../../inspector/section.tsx';
import { type Reading, textUpTo, typedInput, useTypedText } from '../../inspector/typed-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { say } from '../../ui/messages.tsx';
import type { SectionProps } from '../kind-view.ts';

/** A choice group: the boxes of one column, and the value that ticks each of them. */
export function ChoiceSection({ overlays }: SectionProps) {
  const layout = useEditor((editor) => editor.project?.layout);
  if (layout === undefined) return null;
  const ids = overlays.map(({ id }) => id);
  const { change, select } = useEditor.getState();
  const group = groupOf(overlays[0]);
  const whole = wholeGroup(layout, overlays);
  if (whole !== undefined) return <GroupSection key={whole} layout={layout} group={whole} />;
  if (overlays.length > 1)
    return (
      <Section title="Choices">
        <p className={styles.note}>One column ticks one of these boxes.</p>
        <Button
          onClick={() => {
            change(
              `Group ${ids.length} check marks as choices`,
              (before) => groupAsChoices(before, ids),
              ids,
            );
          }}
        >
          Group as choices
        </Button>
      </Section>
    );
  const [box] = overlays;
  if (group === undefined || box?.type !== 'check') return null;
  return (
    <Section title="Choice">
      <p className={styles.note}>A box of the choice group {group}.</p>
      <BoxValue layout={layout} group={group} box={box} listId={undefined} />
      <div className={styles.row}>
        <Button onClick={() => select(boxesOf(layout, group).map(({ id }) => id))}>Select the group</Button>
        <Button
          look="quiet"
          onClick={() =>
            change(`Take a box out of the choice group ${group}`, (before) => ungroup(before, ids), ids)
          }
        >
          Take out
        </Button>
      </div>
    </Section>
  );
}

function GroupSection({ layout, group }: { layout: Layout; group: string }) {
  const listId = useId();
  const boxes = boxesOf(layout, group);
  const ids = boxes.map(({ id }) => id);
  const { change } = useEditor.getState();
  const values = useDistinctValues(boxes[0]?.value);
  const taken = new Set(boxes.map(({ on_value }) => on_value?.trim().toLowerCase()));
  const unused = values.isMore ? [] : values.values.filter((value) => !taken.has(value.toLowerCase()));
  const add = () => {
    const added = addBox(layout, group, unused[0]);
    if (added !== null)
      change(`Add a box to the choice group ${group}`, () => added.layout, [...ids, added.id]);
  };
  const remove = ({ id }: CheckOverlay) => {
    const rest = ids.filter((other) => other !== id);
    change(`Remove a box from the choice group ${group}`, (before) => removeOverlays(before, [id]), rest);
    say(`Removed a box; ${rest.length} left`);
  };
  return (
    <Section
      title="Choices"
      aside={
        <IconButton label="Add box" onClick={add}>
          <Plus size={14} />
        </IconButton>
      }
    >
      <GroupName layout={layout} group={group} />
      <ul className={styles.choices} aria-label="Boxes and their values">
        {boxes.map((box) => (
          <li key={box.id}>
            <button
              type="button"
              className={styles.choiceBox}
              aria-label={`Show ${badges(layout).get(box.id)}`}
              onClick={() => focusOverlay(box.id)}
            >
              {badges(layout).get(box.id)}
            </button>
            <BoxValue layout={layout} group={group} box={box} listId={listId} />
            <IconButton
              label={`Remove ${badges(layout).get(box.id)}`}
              disabled={boxes.length === 1}
              onClick={() => remove(box)}
            >
              <X size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      <datalist id={listId}>
        {unused.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      {unused.length > 0 && (
        <p className={styles.note}>
          In the data, but in no box: {unused.slice(0, SHOWN).join(', ')}
          {unused.length > SHOWN && ` and ${unused.length - SHOWN} more`}.
        </p>
      )}
      {values.isMore && (
        <p className={styles.note}>
          This column has more than {values.values.length} different values. Choose another if it is not a
          choice.
        </p>
      )}
      <Button
        look="quiet"
        onClick={() => change(`Ungroup the choice group ${group}`, (before) => ungroup(before, ids), ids)}
      >
        Ungroup
      </Button>
    </Section>
  );
}

const SHOWN = 6;

function GroupName({ layout, group }: { layout: Layout; group: string }) {
  const typed = useTypedText({
    label: 'Name',
    shown: group,
    read: (text): Reading<string> => {
      const name = text.trim();
      if (name === '') return { problem: 'Enter a name.' };
      if (name !== group && boxesOf(layout, name).length > 0)
        return { problem: 'Another choice group has this name.' };
      return textUpTo(100)(name);
    },
    onCommit: (name) =>
      useEditor
        .getState()
        .change(`Rename the choice group ${group} to ${name}`, (before) => renameGroup(before, group, name)),
  });
  return <TextField label="Name" hint="Row warnings name the group by it." {...typedInput(typed)} />;
}

/** The value that ticks one box. Two boxes of a group never have the same one. */
function BoxValue({
  layout,
  group,
  box,
  listId,
}: {
  layout: Layout;
  group: string;
  box: CheckOverlay;
  listId: string | undefined;
}) {
  const badge = badges(layout).get(box.id) ?? box.id;
  const typed = useTypedText({
    label: `the value of ${badge}`,
    shown: box.on_value ?? '',
    read: (text): Reading<string> => {
      if (text.trim() === '') return { problem: 'Enter the value that ticks this box.' };
      const other = boxesOf(layout, group).find(({ id, on_value }) => id !== box.id && on_value === text);
      if (other !== undefined) return { problem: `${badges(layout).get(other.id)} has this value already.` };
      return textUpTo(1000)(text);
    },
    onCommit: (value) =>
      useEditor
        .getState()
        .change(`Set the value of ${badge}`, (before) =>
          patchOverlays(before, [box.id], (overlay) =>
            overlay.type === 'check' ? { ...overlay, on_value: value } : overlay,
          ),
        ),
  });
  return (
    <TextField
      label={`Value that ticks ${badge}`}
      hideLabel={listId !== undefined}
      placeholder="Value in the data"
      list={listId}
      {...typedInput(typed)}
    />
  );
}

const NONE: DistinctValues = { values: [], isMore: false };

/** The values that the rows have for a source; none without rows. */
function useDistinctValues(source: ValueSource | undefined): DistinctValues {
  const rows = useEditor((editor) => editor.rows);
  const [found, setFound] = useState(NONE);
  const key = JSON.stringify(source);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the source is in the key
  useEffect(() => {
    setFound(NONE);
    if (rows === null || source === undefined || 'static' in source) return;
    let isStale = false;
    engine.distinctValues(source).then(
      (values) => {
        if (!isStale) setFound(values);
      },
      () => {}, // the values are an offer only
    );
    return () => {
      isStale = true;
    };
  }, [key, rows]);
  return found;
}
