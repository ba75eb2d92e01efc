import { useState } from 'react';
import { isFillable } from '#fill/package/form-field-types.ts';
import type { FormFieldMapping, Layout, SourceFormField, ValueSource } from '#fill/package/layout-schema.ts';
import { mapField, matchFormFields, setFieldFont, unmapField } from '../core/form-fields/map-fields.ts';
import { sourceWords } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { say, tell } from '../ui/messages.tsx';
import styles from './inspector.module.css';
import { Section } from './section.tsx';
import { ValueEditor } from './value-editor.tsx';

const TYPE_WORDS: Readonly<Record<SourceFormField['type'], string>> = {
  text: 'text',
  checkbox: 'check box',
  radio: 'choice',
  dropdown: 'drop-down',
  listbox: 'list',
  button: 'button',
  signature: 'signature',
  unknown: 'unknown',
};

/** Fields whose value is set as text. */
const TYPESET = new Set<SourceFormField['type']>(['text', 'dropdown', 'listbox']);

const SHOWN_CHOICES = 12;

/** The allowed values: `Choices: Yes, Yes#2`. Null if any text is allowed. */
function choiceWords({ options = [] }: SourceFormField): string | null {
  if (options.length === 0) return null;
  const shown = options
    .slice(0, SHOWN_CHOICES)
    .map(({ value, label }) => (label === value ? value : `${value} (${label})`));
  const more = options.length > SHOWN_CHOICES ? ` and ${options.length - SHOWN_CHOICES} more` : '';
  return `${options.length === 1 ? 'Ticked by' : 'Choices'}: ${shown.join(', ')}${more}`;
}

/** The PDF's own form fields and their values. */
export function FormFieldsPanel() {
  const fields = useEditor((editor) => editor.project?.source.metadata.form_fields) ?? [];
  const layout = useEditor((editor) => editor.project?.layout);
  const [open, setOpen] = useState<string | null>(null);
  if (fields.length === 0 || layout === undefined) return null;
  const fillable = fields.filter(({ type }) => isFillable(type));
  const mappings = new Map(layout.form_fields.map((mapping) => [mapping.field, mapping]));
  const mapAll = () => {
    const { change, project } = useEditor.getState();
    const matched = project === null ? null : matchFormFields(project.layout, fillable);
    if (project === null || matched === null) return;
    if (matched === project.layout) {
      tell('good', 'No other form field matches a column name.');
      return;
    }
    const count = matched.form_fields.length - project.layout.form_fields.length;
    change(`Map ${count} form fields by name`, () => matched);
  };
  return (
    <Section
      title="Form fields"
      aside={
        <Button look="quiet" disabled={layout.columns.length === 0} onClick={mapAll}>
          Map all by name
        </Button>
      }
    >
      <ul className={styles.formFields}>
        {fillable.map((field) => (
          <FormFieldEntry
            key={field.name}
            field={field}
            layout={layout}
            mapping={mappings.get(field.name)}
            isOpen={open === field.name}
            onToggle={() => setOpen(open === field.name ? null : field.name)}
          />
        ))}
      </ul>
    </Section>
  );
}

function FormFieldEntry({
  field,
  layout,
  mapping,
  isOpen,
  onToggle,
}: {
  field: SourceFormField;
  layout: Layout;
  mapping: FormFieldMapping | undefined;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const map = (value: ValueSource) => {
    useEditor
      .getState()
      .change(`Map form field ${field.name}`, (before) => mapField(before, field.name, value));
  };
  return (
    <li>
      <button type="button" className={styles.formField} aria-expanded={isOpen} onClick={onToggle}>
        <span className={styles.formName}>{field.name}</span>
        <span className={styles.formSource}>
          {mapping === undefined ? TYPE_WORDS[field.type] : sourceWords(layout, mapping.value)}
        </span>
      </button>
      {isOpen && (
        <div className={styles.formEdit}>
          {choiceWords(field) !== null && <p className={styles.note}>{choiceWords(field)}</p>}
          {mapping === undefined ? (
            <Button onClick={() => map({ column: layout.columns[0]?.key ?? 'column_0' })}>
              Fill this field
            </Button>
          ) : (
            <>
              <ValueEditor value={mapping.value} onChange={map} />
              {TYPESET.has(field.type) && <FontChoice layout={layout} mapping={mapping} />}
              <Button
                look="quiet"
                onClick={() => {
                  useEditor
                    .getState()
                    .change(`Leave form field ${field.name} as it is`, (before) =>
                      unmapField(before, field.name),
                    );
                  say(`${field.name} is left as it is`);
                }}
              >
                Leave as it is
              </Button>
            </>
          )}
        </div>
      )}
    </li>
  );
}

function FontChoice({ layout, mapping }: { layout: Layout; mapping: FormFieldMapping }) {
  const choose = (font: string) => {
    useEditor
      .getState()
      .change(`Font of form field ${mapping.field}`, (before) =>
        setFieldFont(before, mapping.field, font === '' ? undefined : font),
      );
  };
  return (
    <SelectField label="Font" value={mapping.font ?? ''} onChange={(event) => choose(event.target.value)}>
      <option value="">As in the PDF</option>
      <option value="sans">Sans</option>
      <option value="serif">Serif</option>
      <option value="mono">Mono</option>
      {layout.fonts.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
