import { Check, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { reveal } from '../canvas/viewport.ts';
import type { NameMatch } from '../core/detect/match-names.ts';
import { type Proposal, rectsOf } from '../core/detect/proposal.ts';
import { unionOf } from '../core/geometry/rect.ts';
import { columnName } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { ColumnOptions, useColumnChoices } from '../inspector/column-options.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { acceptItems, rejectItems } from './accept-items.ts';
import { activate, editItem, type ReviewItem, useDetect } from './detect-store.ts';
import styles from './review.module.css';

const NO_COLUMN = '';

/** One proposed field. The entry with the focus shows its name and its column for editing. */
export function ReviewEntry({ item, match }: { item: ReviewItem; match: NameMatch | null }) {
  const { id, proposal } = item;
  const isActive = useDetect((detect) => detect.active === id);
  const entry = useRef<HTMLLIElement>(null);
  const layout = useEditor((editor) => editor.project?.layout);
  const name = item.name === '' ? 'No name' : item.name;
  const column = match === null || layout === undefined ? null : columnName(layout, match.column);
  const show = () => {
    activate(id);
    const box = unionOf(rectsOf(proposal));
    if (box !== null) reveal(proposal.page, box);
  };
  useEffect(() => {
    // Chosen on the page: its entry may be out of view.
    if (isActive && entry.current?.contains(document.activeElement) === false)
      entry.current.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <li
      ref={entry}
      data-item={id}
      data-active={isActive}
      className={styles.entry}
      onPointerEnter={() => !isEditing() && activate(id)}
      onFocus={show}
    >
      <div className={styles.row}>
        <button type="button" data-main className={styles.main} aria-expanded={isActive} onClick={show}>
          <span className={item.name === '' ? styles.noName : styles.name} title={name}>
            {name}
          </span>
          <span className={styles.about}>
            {kindWords(proposal)} · {column ?? 'No column'}{' '}
            {match?.guess === true && <Badge tone="warn">Guess</Badge>}
          </span>
        </button>
        <IconButton
          label={`Accept ${name}`}
          shortcut="Y"
          className={styles.accept}
          onClick={() => acceptItems([item])}
        >
          <Check size={15} />
        </IconButton>
        <IconButton label={`Reject ${name}`} shortcut="N" onClick={() => rejectItems([item])}>
          <X size={15} />
        </IconButton>
      </div>
      {isActive && <Editing item={item} match={match} />}
    </li>
  );
}

function Editing({ item, match }: { item: ReviewItem; match: NameMatch | null }) {
  const { id, name, proposal } = item;
  const choices = useColumnChoices(match === null ? [] : [match.column]);
  return (
    <div className={styles.editing}>
      <TextField
        label="Name"
        value={name}
        maxLength={90}
        onChange={(event) => editItem(id, { name: event.target.value })}
      />
      {choices.length > 0 && (
        <SelectField
          label="Column"
          value={match?.column ?? NO_COLUMN}
          hint={match?.guess === true ? 'A guess: the name is similar, not equal.' : undefined}
          onChange={(event) => editItem(id, { column: event.target.value || null })}
        >
          <option value={NO_COLUMN}>No column</option>
          <ColumnOptions choices={choices} />
        </SelectField>
      )}
      {proposal.kind === 'choice' && (
        <p className={styles.options}>Ticked by: {proposal.options.map(({ label }) => label).join(', ')}</p>
      )}
    </div>
  );
}

function kindWords(proposal: Proposal): string {
  switch (proposal.kind) {
    case 'text':
      return 'Text';
    case 'comb':
      return `Comb of ${proposal.cells}`;
    case 'check':
      return 'Check mark';
    case 'choice':
      return `Choice of ${proposal.options.length}`;
  }
}

/** Whether a name or a column of the list is being edited: the pointer must not close it. */
const isEditing = () =>
  document.activeElement?.closest('[data-item]') != null && document.activeElement.matches('input, select');
