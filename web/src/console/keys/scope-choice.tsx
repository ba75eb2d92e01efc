import styles from './scope-choice.module.css';

/** Chooses scopes. No choice means all scopes, and choosing all is the same as no choice. */
export function ScopeChoice({
  all,
  chosen,
  onChange,
}: {
  all: readonly string[];
  chosen: readonly string[] | undefined;
  onChange: (scopes: readonly string[] | undefined) => void;
}) {
  const has = new Set(chosen ?? all);
  const toggle = (scope: string) => {
    const next = all.filter((each) => (each === scope ? !has.has(each) : has.has(each)));
    onChange(next.length === all.length ? undefined : next);
  };
  return (
    <fieldset className={styles.scopes}>
      <legend>Scopes</legend>
      {all.map((scope) => (
        <label key={scope}>
          <input type="checkbox" checked={has.has(scope)} onChange={() => toggle(scope)} />
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}
