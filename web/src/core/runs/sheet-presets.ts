import { findPreset, SHEET_PRESETS, type SheetPreset } from '#fill/sheet/presets.ts';
import { formatLength, type Unit } from '../geometry/units.ts';

const BRANDS: Readonly<Record<string, string>> = {
  avery: 'Avery',
  zweckform: 'Avery Zweckform',
  herma: 'Herma',
};

const brandOf = (name: string) => name.slice(0, name.indexOf('-'));

/** The heading under which a preset is listed: `Avery, A4`. */
export const presetGroup = ({ preset, paper }: SheetPreset): string =>
  `${BRANDS[brandOf(preset)] ?? brandOf(preset)}, ${paper}`;

/** `Avery L7159 · 24 labels of 63.5 × 33.9 mm` */
export function presetLabel({ preset, paper, geometry }: SheetPreset): string {
  const { columns, rows, label_width, label_height } = geometry;
  const unit: Unit = paper === 'Letter' ? 'in' : 'mm';
  const digits = unit === 'in' ? 3 : 1;
  const size = [label_width, label_height]
    .map((points) => String(Number(Number(formatLength(points, unit)).toFixed(digits))))
    .join(' × ');
  const count = columns * rows;
  const part = preset.slice(preset.indexOf('-') + 1).toUpperCase();
  return `${BRANDS[brandOf(preset)] ?? ''} ${part} · ${count} ${count === 1 ? 'label' : 'labels'} of ${size} ${unit}`;
}

export function presetName(name: string): string {
  const preset = findPreset(name);
  return preset === undefined ? name : presetLabel(preset);
}

/** Lower case without spaces and signs, so that `63.5x33.9`, `63.5 × 33.9` and `63,5×33,9` are one text. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[×*]/g, 'x')
    .replaceAll(',', '.')
    .replaceAll(/[\s·-]+/g, '');

const searched = SHEET_PRESETS.map((preset) => ({
  preset,
  text: plain(`${preset.preset} ${presetGroup(preset)} ${presetLabel(preset)}`),
}));

/** Presets whose name, brand, paper, number or size of labels contains every word of the text. */
export function searchPresets(text: string): readonly SheetPreset[] {
  const words = text
    .replaceAll(/\s*[x×*]\s*/gi, 'x')
    .split(/\s+/)
    .map(plain)
    .filter((word) => word !== '');
  return searched
    .filter(({ text: all }) => words.every((word) => all.includes(word)))
    .map(({ preset }) => preset);
}
