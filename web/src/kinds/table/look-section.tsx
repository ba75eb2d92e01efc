import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import { common, setMember, setOptional } from '../../inspector/edit-selected.ts';
import styles from '../../inspector/inspector.module.css';
import { NumberField } from '../../inspector/number-field.tsx';
import { Section } from '../../inspector/section.tsx';
import { FontFields } from '../../inspector/type-section.tsx';
import { SelectField } from '../../ui/field.tsx';
import { NamedColor, OptionalColor } from './optional-fields.tsx';

const points = (value: number) => String(Number(value.toFixed(2)));

/** The type, the colours and the lines of tables. */
export function LookSection({ tables }: { tables: readonly TableOverlay[] }) {
  const of = <Name extends keyof TableOverlay>(name: Name) =>
    common(tables, (table) => (table as TableOverlay)[name]);
  const lines = of('lines');
  return (
    <Section title="Look">
      <FontFields overlays={tables} />
      <div className={styles.pairs}>
        <NumberField
          label="Size in points"
          mark="Size"
          unit="pt"
          value={of('size')}
          min={1}
          max={2000}
          onCommit={(size) => setMember('size', 'size', size)}
        />
        <NumberField
          label="Padding of cells in points"
          mark="Padding"
          unit="pt"
          value={of('padding')}
          min={0}
          max={200}
          format={points}
          onCommit={(padding) => setMember('padding', 'padding', padding)}
        />
      </div>
      <NamedColor
        label="Text colour"
        value={of('color')}
        onCommit={(color) => setMember('colour', 'color', color)}
      />
      <OptionalColor
        label="Other text colour for the header"
        colorLabel="Header text colour"
        value={of('header_color')}
        start="#000000"
        onCommit={(color) => setOptional('header colour', 'header_color', color)}
      />
      <OptionalColor
        label="Background of the header"
        colorLabel="Header background"
        value={of('header_fill')}
        start="#dfe7f0"
        onCommit={(color) => setOptional('header background', 'header_fill', color)}
      />
      <OptionalColor
        label="Stripes: colour every second row"
        colorLabel="Stripe colour"
        value={of('stripe')}
        start="#eef3f8"
        onCommit={(color) => setOptional('stripes', 'stripe', color)}
      />
      <SelectField
        label="Lines"
        value={lines ?? ''}
        onChange={(event) => setMember('lines', 'lines', event.target.value)}
      >
        {lines === undefined && <option value="">Mixed</option>}
        <option value="rows">Below each row</option>
        <option value="grid">Around each cell</option>
        <option value="none">None</option>
      </SelectField>
      {lines !== 'none' && (
        <>
          <NumberField
            label="Width of lines in points"
            mark="Line width"
            unit="pt"
            step={0.1}
            value={of('line_width')}
            min={0.1}
            max={20}
            format={points}
            onCommit={(width) => setMember('lines', 'line_width', Number(width.toFixed(2)))}
          />
          <NamedColor
            label="Line colour"
            value={of('line_color')}
            onCommit={(color) => setMember('line colour', 'line_color', color)}
          />
        </>
      )}
    </Section>
  );
}
