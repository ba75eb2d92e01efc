import { columnName } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { SelectField } from '../ui/field.tsx';
import { passwordProblem, unitOf } from './run-choices.ts';

/** The column with the password of each document. */
export function PasswordChoice() {
  const layout = useEditor((editor) => editor.project?.layout);
  const run = useWork((work) => work.run);
  if (layout === undefined) return null;
  const { passwordColumn, output } = run;
  const isKnown = layout.columns.some(({ key }) => key === passwordColumn);
  const isMerged = output !== 'zip';
  const unit = unitOf(run);
  return (
    <SelectField
      label="Password of each PDF"
      hint={
        isMerged
          ? `Only with one PDF per ${unit}.`
          : passwordColumn === null
            ? 'Encrypts each PDF with the value of a column.'
            : unit === 'row'
              ? 'A PDF opens only with its row’s value in this column (AES-256). A row with a blank value fails.'
              : 'A PDF opens only with its group’s value in this column (AES-256). A group with a blank value or different values fails.'
      }
      error={passwordProblem(run, layout.columns) ?? undefined}
      // A password that was chosen before stays visible, so that no run is unencrypted by surprise.
      disabled={isMerged && passwordColumn === null}
      value={passwordColumn ?? ''}
      onChange={(event) => chooseRun({ passwordColumn: event.target.value || null })}
    >
      <option value="">No password</option>
      {passwordColumn !== null && !isKnown && <option value={passwordColumn}>{passwordColumn}</option>}
      {layout.columns.map(({ key }) => (
        <option key={key} value={key}>
          {columnName(layout, key)}
        </option>
      ))}
    </SelectField>
  );
}
