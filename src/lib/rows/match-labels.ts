/**
 * Matches the names of an input's columns (a CSV header, JSON keys) to the labels of a package's columns: an equal name, else a
 * name that is equal once both are normalised. An equal name always wins over a normalised one.
 */
export interface LabelMatches {
  /** For each label the index of its input, or null: no input has that name, or more than one match is possible. */
  readonly inputs: readonly (number | null)[];
  /** Indexes of the labels for which more than one match is possible. */
  readonly ambiguous: readonly number[];
}

export function matchLabels(labels: readonly string[], inputs: readonly string[]): LabelMatches {
  const matched = new Array<number | null>(labels.length).fill(null);
  const ambiguous = new Set<number>();
  const taken = new Set<number>();
  const open = new Set([...labels.keys()].filter((index) => normalisedLabel(labels[index] ?? '') !== ''));

  const settle = (nameOf: (text: string) => string) => {
    const labelsByName = groups(labels, open, nameOf);
    const free = new Set([...inputs.keys()].filter((index) => !taken.has(index)));
    const inputsByName = groups(inputs, free, nameOf);
    for (const [name, wanting] of labelsByName) {
      const offered = inputsByName.get(name);
      if (offered === undefined) continue;
      for (const label of wanting) open.delete(label);
      for (const input of offered) taken.add(input);
      const [label, ...otherLabels] = wanting;
      const [input, ...otherInputs] = offered;
      if (label === undefined || input === undefined) continue;
      if (otherLabels.length === 0 && otherInputs.length === 0) matched[label] = input;
      else for (const index of wanting) ambiguous.add(index);
    }
  };
  settle((text) => text);
  settle(normalisedLabel);
  return { inputs: matched, ambiguous: [...ambiguous].sort((a, b) => a - b) };
}

/**
 * NFC, case folded, trimmed, and runs of white space, `_`, `-` and `.` as one space. Upper case first, then lower: this folds
 * `ß` and `SS`, or the two forms of a Greek sigma, which lower case alone keeps apart. Neither depends on a locale.
 */
export function normalisedLabel(text: string): string {
  return text
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[\s_\-.]+/gu, ' ')
    .trim();
}

function groups(
  texts: readonly string[],
  among: ReadonlySet<number>,
  nameOf: (text: string) => string,
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const index of among) {
    const name = nameOf(texts[index] ?? '');
    const group = found.get(name);
    if (group === undefined) found.set(name, [index]);
    else group.push(index);
  }
  return found;
}
