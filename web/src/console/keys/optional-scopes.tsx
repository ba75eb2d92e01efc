import { surfaceName } from '../parts/surfaces.ts';
import styles from './scope-choice.module.css';

const READ = 'read:';
const isRead = (scope: string) => scope.startsWith(READ);

/** Chooses what a Bulk Fill key may do besides filling its own files: read rows (`rows_from`) and seal layouts; nothing by default. */
export function OptionalScopes({
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
  const choice = (scope: string) => (
    <label key={scope}>
      <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
      {isRead(scope) ? `Read rows from ${surfaceName(scope.slice(READ.length))}` : 'Seal layouts of projects'}
    </label>
  );
  const others = all.filter((scope) => !isRead(scope));
  return (
    <>
      <fieldset className={styles.scopes}>
        <legend>Read rows</legend>
        {all.filter(isRead).map(choice)}
      </fieldset>
      {others.length > 0 && (
        <fieldset className={styles.scopes}>
          <legend>Projects</legend>
          {others.map(choice)}
        </fieldset>
      )}
    </>
  );
}
