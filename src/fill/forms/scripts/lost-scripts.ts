import type { Calculation } from './plan-scripts.ts';
import type { FieldScripts } from './read-scripts.ts';

/**
 * Returns one message for each mapped field that is affected by an unsupported script: its own format or calculation, or
 * that of another field that depends on it.
 */
export function lostScripts(
  scripts: ReadonlyMap<string, FieldScripts>,
  mapped: ReadonlySet<string>,
  calculations: readonly Calculation[],
): Record<string, string> {
  const lost = new Map<string, Lost>();
  const of = (name: string) => {
    const known = lost.get(name) ?? { own: [], format: [], calculation: [] };
    lost.set(name, known);
    return known;
  };
  const owners = new Map(calculations.map(({ field, owner }) => [field, owner]));
  const feeders = feedersOf(mapped, owners);
  for (const [name, { calculate, format }] of scripts) {
    const shown = mapped.has(name) ? name : owners.get(name);
    if (format?.kind === 'unknown' && shown !== undefined) of(shown).format.push(name);
    if (calculate?.kind !== 'unknown') continue;
    if (mapped.has(name)) of(name).own.push(name);
    else for (const feeder of feeders(calculate.script)) of(feeder).calculation.push(name);
  }
  return Object.fromEntries([...lost].map(([name, what]) => [name, messageOf(what)]));
}

interface Lost {
  readonly own: string[];
  readonly format: string[];
  readonly calculation: string[];
}

const STRINGS = /"([^"\\\r\n]*)"|'([^'\\\r\n]*)'/g;
/** Matches a field name that is an expression, whose value is unknown without running the script. */
const COMPUTED_NAME = /getField\s*\(\s*(?!(?:"[^"\\]*"|'[^'\\]*')\s*\))/;

/** Returns the mapped fields that a script names in full or by a shared part of their names. */
function feedersOf(mapped: ReadonlySet<string>, owners: ReadonlyMap<string, string>) {
  const byName = new Map<string, Set<string>>();
  const add = (written: string, name: string) => {
    const names = byName.get(written) ?? new Set();
    byName.set(written, names.add(name));
  };
  for (const [name, owner] of [...[...mapped].map((own) => [own, own] as const), ...owners]) {
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
      add(name.slice(0, dot), owner);
    add(name, owner);
  }
  const [first] = mapped;
  return (script: string): ReadonlySet<string> => {
    const names = new Set<string>();
    for (const [, double, single] of script.matchAll(STRINGS)) {
      const written = double ?? single ?? '';
      for (const part of [written, ...written.split(',').map((one) => one.trim())]) {
        for (const name of byName.get(part) ?? []) names.add(name);
      }
    }
    if (names.size === 0 && first !== undefined && COMPUTED_NAME.test(script)) names.add(first);
    return names;
  };
}

const NAMED = 3;

function messageOf({ own, format, calculation }: Lost): string {
  const sentences: string[] = [];
  if (own.length > 0) {
    sentences.push(`${named(own)} calculated by a script that is not run; it contains the row's value.`);
  }
  if (calculation.length > 0) {
    sentences.push(
      `${named(calculation)} calculated by a script that is not run; the value may be out of date.`,
    );
  }
  if (format.length > 0) {
    sentences.push(`${named(format)} formatted by a script that is not run; the value is shown unchanged.`);
  }
  return sentences.join(' ');
}

function named(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const shown = unique.slice(0, NAMED).join(', ');
  const more = unique.length > NAMED ? ` and ${unique.length - NAMED} more` : '';
  return unique.length === 1 ? `The field ${shown} is` : `The fields ${shown}${more} are`;
}
