import { useState } from 'react';
import { findPreset, SHEET_PRESETS, type SheetPreset } from '#fill/sheet/presets.ts';
import type { SheetGeometry } from '#fill/sheet/sheet.ts';
import type { Unit } from '../core/geometry/units.ts';
import {
  inUnit,
  readSheetChoice,
  type SheetChoice,
  type SheetField,
  SIZE_NAMES,
  withOwnSizes,
} from '../core/runs/sheet-choice.ts';
import { presetGroup, presetLabel, presetName, searchPresets } from '../core/runs/sheet-presets.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx';
import { SelectField, Switch, TextField } from '../ui/field.tsx';
import styles from './output.module.css';

/** Pairs of inputs, each row of the form one idea. */
const SIZES: readonly (keyof SheetGeometry)[] = [
  ...(['width', 'height', 'columns', 'rows', 'label_width', 'label_height'] as const),
  ...(['margin_left', 'margin_top', 'pitch_x', 'pitch_y'] as const),
];

const change = (to: Partial<SheetChoice>) => {
  const { sheet } = useWork.getState().run;
  if (sheet !== null) chooseRun({ sheet: { ...sheet, ...to } });
};

/** Chooses a sheet by name or by its own sizes. The message about wrong ones stands below the picture. */
export function SheetFields({ choice, problemId }: { choice: SheetChoice; problemId: string }) {
  const { problem } = readSheetChoice(choice);
  const isWrong = (field: SheetField) => problem?.fields.includes(field) ?? false;
  const mark = (field: SheetField) =>
    isWrong(field) ? { 'aria-invalid': true, 'aria-describedby': problemId } : undefined;
  return (
    <div className={styles.fields}>
      <SelectField
        label="Labels"
        value={choice.preset === null ? 'own' : 'preset'}
        onChange={(event) => {
          if (event.target.value === 'own') chooseRun({ sheet: withOwnSizes(choice) });
          else change({ preset: SHEET_PRESETS[0]?.preset ?? null });
        }}
      >
        <option value="preset">A sheet from the list</option>
        <option value="own">Own sizes</option>
      </SelectField>
      {choice.preset !== null ? (
        <PresetField preset={choice.preset} />
      ) : (
        <>
          <SelectField
            label="Unit"
            value={choice.own.unit}
            onChange={(event) => change({ own: inUnit(choice.own, event.target.value as Unit) })}
          >
            <option value="mm">Millimetres</option>
            <option value="in">Inches</option>
            <option value="pt">Points</option>
          </SelectField>
          <div className={styles.sizes}>
            {SIZES.map((name) => (
              <TextField
                key={name}
                label={SIZE_NAMES[name]}
                inputMode="decimal"
                unit={name === 'columns' || name === 'rows' ? undefined : choice.own.unit}
                value={choice.own[name]}
                onChange={(event) => change({ own: { ...choice.own, [name]: event.target.value } })}
                mark={mark(name)}
              />
            ))}
          </div>
          <p className={styles.meaning}>
            A pitch is the distance from one label to the same edge of the next.
          </p>
        </>
      )}
      <div className={styles.sizes}>
        <TextField
          label="Labels to skip"
          inputMode="numeric"
          value={choice.skip}
          onChange={(event) => change({ skip: event.target.value })}
          mark={mark('skip')}
        />
        <SelectField
          label="Order"
          value={choice.order}
          onChange={(event) => change({ order: event.target.value as SheetChoice['order'] })}
        >
          <option value="across">Row by row</option>
          <option value="down">Column by column</option>
        </SelectField>
      </div>
      <Switch
        label="Crop marks"
        hint="Thin lines in the margins, for cutting."
        checked={choice.marks}
        onChange={(marks) => change({ marks })}
      />
    </div>
  );
}

const listed = (preset: SheetPreset): ComboboxOption => ({
  value: preset.preset,
  label: presetLabel(preset),
  group: presetGroup(preset),
});

/** Finds a preset by its number, brand, paper, or number or size of labels. */
function PresetField({ preset }: { preset: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const found = typed === null || typed.trim() === '' ? SHEET_PRESETS : searchPresets(typed);
  const [only] = found;
  const choose = (name: string) => {
    setTyped(null);
    if (findPreset(name) !== undefined) change({ preset: name });
  };
  const commit = () => {
    // One match is meant even if it was not marked. Anything else keeps the present sheet.
    if (typed !== null && typed.trim() !== '' && found.length === 1 && only !== undefined)
      choose(only.preset);
    else setTyped(null);
  };
  return (
    <Combobox
      label="Sheet"
      placeholder="Search: L7160, 5160, 24 labels, 70 × 37…"
      text={typed ?? presetName(preset)}
      options={found.map(listed)}
      chosen={preset}
      error={found.length === 0 ? 'No sheet matches. Try a number, or use own sizes.' : undefined}
      onType={setTyped}
      onChoose={choose}
      onCommit={commit}
      onEscape={() => setTyped(null)}
    />
  );
}
