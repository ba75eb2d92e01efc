import { X } from 'lucide-react';
import { type FocusEvent, useEffect, useId, useRef } from 'react';
import { create } from 'zustand';
import { ServerRefusal } from '../api/server-refusal.ts';
import { Button, IconButton } from './button.tsx';
import { standOn } from './keep-focus.ts';
import styles from './messages.module.css';

/**
 * Short notes in the corner, and a live region that says what happened to people who do not see it. Errors stay until
 * they are closed; good news leaves by itself. Both stand in the topmost open dialog if there is one: everything outside it is
 * inert, which takes it from screen readers and from the keyboard.
 */
interface Message {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** Small print: the code of a refusal and the request it belongs to. */
  readonly detail?: string | undefined;
  /** Takes back what the message tells. */
  readonly undo?: (() => void) | undefined;
}

const GOOD_NEWS_MS = 5_000;
/** Time to read it, to see what is gone, and to get there by keyboard. */
const UNDO_MS = 20_000;
let lastId = 0;

interface MessagesState {
  readonly list: readonly Message[];
  readonly spoken: string;
  /** Counts what was said: the same words again are news too. */
  readonly said: number;
  /** The open dialogs, the topmost last. */
  readonly dialogs: readonly string[];
}

const useMessages = create<MessagesState>(() => ({ list: [], spoken: '', said: 0, dialogs: [] }));

export function tell(
  tone: Message['tone'],
  text: string,
  { detail, undo }: Pick<Message, 'detail' | 'undo'> = {},
): void {
  lastId += 1;
  const id = lastId;
  useMessages.setState(({ list }) => ({ list: [...list, { id, tone, text, detail, undo }] }));
  if (tone === 'bad') return;
  // A region that comes with its words is heard only as an alert; good news is said by the one that is always there.
  say(text);
  const stays = undo === undefined ? GOOD_NEWS_MS : UNDO_MS;
  // Not from under somebody who has just got there by keyboard.
  const leave = () => {
    if (document.activeElement?.closest('[data-messages]')) setTimeout(leave, stays);
    else close(id);
  };
  setTimeout(leave, stays);
}

/** Only said, not shown: for moves and selections. */
export function say(text: string): void {
  useMessages.setState(({ said }) => ({ spoken: text, said: said + 1 }));
}

export function tellError(error: unknown): void {
  tell('bad', error instanceof Error ? error.message : String(error), { detail: detailOf(error) });
}

/** What to give whoever looks into it; refusals of the server carry both. */
function detailOf(error: unknown): string | undefined {
  if (!(error instanceof ServerRefusal)) return undefined;
  return error.requestId === undefined ? error.code : `${error.code} · ${error.requestId}`;
}

function close(id: number): void {
  useMessages.setState(({ list }) => ({ list: list.filter((message) => message.id !== id) }));
}

export function Messages() {
  return useMessages(({ dialogs }) => dialogs.length === 0) ? <Told /> : null;
}

export function MessagesInDialog() {
  const id = useId();
  useEffect(() => {
    useMessages.setState(({ dialogs }) => ({ dialogs: [...dialogs, id] }));
    return () => useMessages.setState(({ dialogs }) => ({ dialogs: dialogs.filter((each) => each !== id) }));
  }, [id]);
  return useMessages(({ dialogs }) => dialogs.at(-1) === id) ? <Told /> : null;
}

function Told() {
  const { list, spoken, said } = useMessages();
  const cameFrom = useRef<Element | null>(null);
  const enter = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget instanceof Element && !currentTarget.contains(relatedTarget))
      cameFrom.current = relatedTarget;
  };
  /** Whoever closes a message goes on where they were. */
  const dismiss = (id: number) => {
    standOn(cameFrom.current);
    close(id);
  };
  return (
    <>
      <div aria-live="polite" className="visually-hidden">
        <span key={said}>{spoken}</span>
      </div>
      <section aria-label="Messages" data-messages="" className={styles.stack} onFocus={enter}>
        {list.map(({ id, tone, text, detail, undo }) => (
          <div
            key={id}
            role={tone === 'bad' ? 'alert' : undefined}
            className={`${styles.message} ${styles[tone]}`}
          >
            <span>
              {text}
              {detail !== undefined && <code className={styles.detail}>{detail}</code>}
            </span>
            {undo !== undefined && (
              <Button
                look="quiet"
                className={styles.undo}
                onClick={() => {
                  dismiss(id);
                  undo();
                }}
              >
                Undo
              </Button>
            )}
            <IconButton label="Close this message" onClick={() => dismiss(id)}>
              <X size={14} />
            </IconButton>
          </div>
        ))}
      </section>
    </>
  );
}
