import type { SourceFormField } from '#fill/package/source-metadata.ts';
import { cellsOf } from './drawn-row-pdf.ts';
import type { JudgeRoom } from './judges.ts';
import { type PlacedText, TEXT_READERS } from './placed-text.ts';
import { prepareForTest } from './prepared.ts';
import { type Area, changed, FIRST_PAGES, type Picture } from './renderings.ts';
import { type FoundWidget, widgetsOf } from './widgets.ts';

/**
 * Fills every field of a form with a distinct value, live and flattened, and compares the output of external readers with
 * the input: the stored value (pdf.js), the text inside the field's box and the buttons that are on (poppler, MuPDF).
 * A difference is an error unless the row carries a warning for that field.
 */
const DPI = 72;
const LEAST_PIXELS = 3;
const MAX_PAGES = 60;
const SMALLEST_AREA = 9;
const VIEWERS = ['poppler', 'MuPDF'] as const;
const FILLABLE = ['text', 'checkbox', 'radio', 'dropdown', 'listbox'];

export interface JudgedForm {
  readonly fields: number;
  /** Number of compared values: fields × modes × readers. */
  readonly judged: number;
  /** Fields whose row warning reports that a value is not shown as sent. */
  readonly warned: number;
  readonly wrong: readonly string[];
}

interface Sent {
  readonly field: SourceFormField;
  readonly value: string;
  /** The text that the page must show; null for buttons. */
  readonly shown: string | null;
  /** For buttons: the appearance state that must be on. */
  readonly state: string | null;
}

export async function judgeFormValues(
  room: JudgeRoom,
  source: Uint8Array,
  formFields: readonly SourceFormField[],
): Promise<JudgedForm> {
  const widgets = (await widgetsOf(source, MAX_PAGES)).filter(
    ({ isHidden, area }) => !isHidden && area.width * area.height > SMALLEST_AREA,
  );
  const byField = Map.groupBy(widgets, ({ field }) => field);
  const sent = formFields
    .filter(({ type, name }) => FILLABLE.includes(type) && byField.has(name))
    .map((field, index) => valueFor(field, index, byField.get(field.name) ?? []));
  const form_fields = sent.map(({ field }, index) => ({
    id: `f${index}`,
    field: field.name,
    value: { column: `column_${index}` },
  }));
  const pages = Math.max(0, ...widgets.map(({ page }) => page));
  const wrong: string[] = [];
  const warnedFields = new Set<string>();
  let judged = 0;
  for (const flattenForms of [false, true]) {
    const { pdf, filler } = await prepareForTest(source, { form_fields }, { flattenForms });
    const values = sent.map(({ value }) => value);
    const { warnings } = filler.fill(1, cellsOf(...values)).result;
    const warned = new Set(
      warnings.map(({ overlay_id }) => sent[Number(overlay_id.slice(1))]?.field.name ?? ''),
    );
    for (const name of warned) warnedFields.add(name);
    const full = pdf(...values);
    room.put('blank.pdf', pdf(...sent.map(() => '')));
    room.put('full.pdf', full);
    const mode = flattenForms ? 'flat' : 'live';
    const check = (right: boolean, { field }: Sent, reader: string, found: string) => {
      judged += 1;
      if (!right && !warned.has(field.name))
        wrong.push(`${mode} ${reader}: ${field.type} ${field.name}: ${found}`);
    };
    if (!flattenForms) {
      const stored = Map.groupBy(await widgetsOf(full, MAX_PAGES), ({ field }) => field);
      for (const one of sent) {
        // pdf.js returns a separate value for each box of a checkbox: the state, or Off.
        const values = (stored.get(one.field.name) ?? []).map(({ value }) => value);
        check(values.includes(one.state ?? one.value), one, 'stored', JSON.stringify(values));
      }
    }
    for (const viewer of VIEWERS) {
      const blank = FIRST_PAGES[viewer](room, 'blank.pdf', DPI, pages) ?? [];
      const filled = FIRST_PAGES[viewer](room, 'full.pdf', DPI, pages) ?? [];
      const texts = TEXT_READERS[viewer](room, 'full.pdf', pages);
      for (const one of sent) {
        for (const widget of byField.get(one.field.name) ?? []) {
          if (one.shown === null) {
            const lit = isLit(blank[widget.page - 1], filled[widget.page - 1], widget.area);
            check(
              lit === ((widget.state ?? one.state) === one.state),
              one,
              viewer,
              `${widget.state} is ${lit ? 'lit' : 'not lit'}`,
            );
          } else {
            const found = textIn(texts[widget.page - 1] ?? [], widget.area);
            check(
              shows(found, one.shown.replaceAll(/[\s_]/g, ''), viewer),
              one,
              viewer,
              JSON.stringify(found),
            );
          }
        }
      }
    }
  }
  return { fields: sent.length, judged, warned: warnedFields.size, wrong };
}

const isLit = (blank: Picture | undefined, full: Picture | undefined, area: Area): boolean =>
  blank !== undefined && full !== undefined && changed(blank, full, area, DPI) >= LEAST_PIXELS;

/** MuPDF returns characters in drawing order. poppler returns words, mixed with text that the page prints in the same place. */
function shows(found: string, wanted: string, viewer: (typeof VIEWERS)[number]): boolean {
  if (viewer === 'MuPDF') return found.includes(wanted);
  let rest = found;
  for (const character of wanted) {
    if (!rest.includes(character)) return false;
    rest = rest.replace(character, '');
  }
  return true;
}

/** Characters whose centre is in the area, without spaces and printed lines: a comb spreads its value over cells. */
function textIn(texts: readonly PlacedText[], { x, y, width, height }: Area): string {
  return texts
    .filter(
      ({ x: at, y: line }) => at >= x - 1 && at <= x + width + 1 && line >= y - 1 && line <= y + height + 1,
    )
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[\s_]/g, '');
}

function valueFor(field: SourceFormField, index: number, widgets: readonly FoundWidget[]): Sent {
  const { type, options = [], max_length } = field;
  if (type === 'text') {
    const token = `${index.toString(36)}Z`;
    const value = max_length ? token.slice(-max_length) : token;
    return { field, value, shown: value, state: null };
  }
  const choosable = options.filter(({ label, value }) => label.trim() !== '' && value !== '');
  const chosen = choosable[index % Math.max(1, choosable.length)];
  const value = chosen?.value ?? '';
  if (type === 'dropdown' || type === 'listbox')
    return { field, value, shown: chosen?.label ?? '', state: null };
  // Without /Opt an option is named after its appearance state; with /Opt, states are indexes into it.
  // A box without appearances has no state yet; it gets the export value.
  const named = widgets.some(({ state }) => state === value || state === null);
  const state = named ? value : String(chosen === undefined ? '' : options.indexOf(chosen));
  return { field, value, shown: null, state };
}
