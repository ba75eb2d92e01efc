import { SURFACE_NAMES } from './api-key.ts';
import styles from './scope-choice.module.css';

const surfaceOf = (scope: string) => scope.replace(/^read:/, '');

/** Chooses what a Bulk Fill key may read with `rows_from`; nothing by default. */
export function ReadChoice({
  all,
  chosen,
  onChange,
}: {
  all: readonly string[];
  chosen: readonly string[];
  onChange: (scopes: readonly string[]) => void;
}) {
  const toggle = (scope: string) =>
    onChange(all.filter((each) => (each === scope ? !chosen.includes(each) : chosen.includes(each))));
  return (
    <fieldset className={styles.scopes}>
      <legend>Read rows</legend>
      {all.map((scope) => (
        <label key={scope}>
          <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
          Read rows from {SURFACE_NAMES[surfaceOf(scope)] ?? surfaceOf(scope)}
        </label>
      ))}
    </fieldset>
  );
}
