import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { SearchHit, SearchHits } from '#console/contract/search.ts';
import { callJson } from '../../api/operator-client.ts';
import { go } from '../../shell/router.ts';
import { useSingleKeys } from '../../shell/single-keys.ts';
import { standOn } from '../../ui/keep-focus.ts';
import { say } from '../../ui/messages.tsx';
import { formatMany } from '../parts/format.ts';
import styles from './global-search.module.css';
import { HitList } from './hit-list.tsx';

const PAUSE_MS = 200;
/** Ids and keys are longer; fewer characters would match too much. */
const MIN_CHARACTERS = 3;

/** Searches jobs, deliveries, keys, request keys and accounts. The `/` key focuses the field from anywhere. */
export function GlobalSearch() {
  const input = useRef<HTMLInputElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [text, setText] = useState('');
  const [hits, setHits] = useState<readonly SearchHit[] | undefined>();
  const [marked, setMarked] = useState(0);
  const [open, setOpen] = useState(false);
  const listId = useId();
  const wanted = text.trim();

  useEffect(() => focusOnSlash(() => input.current?.focus()), []);
  useEffect(() => {
    setHits(undefined);
    setMarked(0);
    if (wanted.length < MIN_CHARACTERS) return;
    const leave = new AbortController();
    const timer = setTimeout(() => {
      callJson<SearchHits>('/search', {
        query: { q: wanted },
        signal: leave.signal,
      }).then(
        (answer) => {
          setHits(answer.hits);
          say(answer.hits.length === 0 ? 'No results' : formatMany(answer.hits.length, 'result'));
        },
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [wanted]);

  const choose = (hit: SearchHit) => {
    setOpen(false);
    setText('');
    input.current?.blur();
    go(hit.path);
  };
  const onKey = (event: KeyboardEvent) => {
    const count = hits?.length ?? 0;
    if (event.key === 'Escape') {
      setOpen(false);
      // Restores the focus to where `/` was pressed.
      if (cameFrom.current === null) input.current?.blur();
      else standOn(cameFrom.current);
    } else if (event.key === 'ArrowDown' && count > 0) setMarked((marked + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) setMarked((marked + count - 1) % count);
    else if (event.key === 'Enter' && hits?.[marked] !== undefined) choose(hits[marked]);
    else return;
    event.preventDefault();
  };
  const shown = open && wanted.length >= MIN_CHARACTERS && hits !== undefined;
  return (
    <search className={styles.search}>
      <Search size={15} aria-hidden="true" className={styles.icon} />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Search jobs, requests, keys, accounts and errors"
        aria-expanded={shown}
        aria-controls={listId}
        aria-activedescendant={shown && hits.length > 0 ? `${listId}-${marked}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Search jobs, requests, keys and errors"
        className={styles.input}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onFocus={({ relatedTarget }) => {
          cameFrom.current = relatedTarget;
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
      />
      <span className={styles.hint} aria-hidden="true">
        /
      </span>
      <HitList id={listId} shown={shown} hits={hits ?? []} marked={marked} onChoose={choose} />
    </search>
  );
}

/** Calls `focus` when `/` is pressed outside text fields and dialogs. */
function focusOnSlash(focus: () => void): () => void {
  const onKey = (event: globalThis.KeyboardEvent) => {
    const target = event.target as HTMLElement | null;
    const writing = target?.closest('input, textarea, select, [contenteditable], dialog') !== null;
    if (event.key !== '/' || writing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!useSingleKeys.getState().on) return;
    event.preventDefault();
    focus();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
