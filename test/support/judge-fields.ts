import type { SourceFormField } from '../../src/fill/package/source-metadata.ts';
import type { JudgeRoom } from './judges.ts';
import { prepareForTest } from './prepared.ts';
import { changed, RENDERERS } from './renderings.ts';
import { widgetsOf } from './widgets.ts';

/**
 * Fills every field of a form that others made and says which of them three renderers do not show: a field is shown
 * when one of its widgets looks different from the same form filled with blanks.
 */
const DPI = 72;
const LEAST_PIXELS = 3;
const MAX_FIELDS = 200;
const FILLABLE = ['text', 'checkbox', 'radio', 'dropdown'];

export interface JudgedFields {
  readonly judged: number;
  readonly unseen: readonly string[];
}

export async function unseenFields(
  room: JudgeRoom,
  source: Uint8Array,
  formFields: readonly SourceFormField[],
): Promise<JudgedFields> {
  const fields = formFields.filter(({ type }) => FILLABLE.includes(type)).slice(0, MAX_FIELDS);
  const widgets = (await widgetsOf(source)).filter(
    ({ isHidden, area }) => !isHidden && area.width * area.height > 9,
  );
  const shown = fields.filter(({ name }) => widgets.some((widget) => widget.field === name));
  const form_fields = fields.map(({ name }, index) => ({
    id: `f${index}`,
    field: name,
    value: { column: `column_${index}` },
  }));
  const unseen: string[] = [];
  let judged = 0;
  for (const flattenForms of [false, true]) {
    const { pdf } = await prepareForTest(source, { form_fields }, { flattenForms });
    room.put('blank.pdf', pdf(...fields.map(() => '')));
    room.put('full.pdf', pdf(...fields.map(valueFor)));
    for (const [viewer, render] of Object.entries(RENDERERS)) {
      const visible = new Set<string>();
      for (const page of new Set(widgets.map((widget) => widget.page))) {
        const blank = await render(room, 'blank.pdf', DPI, page);
        const full = await render(room, 'full.pdf', DPI, page);
        for (const { field, area } of widgets.filter((widget) => widget.page === page)) {
          if (changed(blank, full, area, DPI) >= LEAST_PIXELS) visible.add(field);
        }
      }
      for (const { name, type } of shown) {
        judged += 1;
        if (!visible.has(name)) unseen.push(`${flattenForms ? 'flat' : 'live'} ${viewer}: ${type} ${name}`);
      }
    }
  }
  return { judged, unseen };
}

function valueFor({ type, options = [] }: SourceFormField): string {
  switch (type) {
    case 'text':
      return 'Hg7';
    case 'checkbox':
      return 'yes';
    default:
      return options.findLast(({ label }) => label.trim() !== '')?.value ?? '';
  }
}
