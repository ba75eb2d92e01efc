import { X } from 'lucide-react';
import { type FocusEvent, useEffect, useId, useRef } from 'react';
import { create } from 'zustand';
import { ServerRefusal } from '../api/server-refusal.ts';
import { Button, IconButton } from './button.tsx';
import { standOn } from './keep-focus.ts';
import styles from './messages.module.css';

/**
 * Messages in the corner of the page, and a live region for screen readers. Errors stay until they are closed; other messages
 * disappear after a while. Both are rendered inside the topmost open dialog, because everything outside it is inert and
 * unreachable for screen readers and the keyboard.
 */
interface Message {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** Small print: the code and the request id of an error. */
  readonly detail?: string | undefined;
  /** Undoes the change that the message reports. */
  readonly undo?: (() => void) | undefined;
  /** Another way to respond, such as to check what was done. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const GOOD_NEWS_MS = 5_000;
/** Enough time to read the message, to see what changed, and to reach a button by keyboard. */
const UNDO_MS = 20_000;
let lastId = 0;

interface MessagesState {
  readonly list: readonly Message[];
  readonly spoken: string;
  /** Counts announcements, so that the same text twice is announced twice. */
  readonly said: number;
  /** The open dialogs, the topmost last. */
  readonly dialogs: readonly string[];
}

const useMessages = create<MessagesState>(() => ({ list: [], spoken: '', said: 0, dialogs: [] }));

export function tell(
  tone: Message['tone'],
  text: string,
  { detail, undo, action }: Pick<Message, 'detail' | 'undo' | 'action'> = {},
): void {
  lastId += 1;
  const id = lastId;
  useMessages.setState(({ list }) => ({ list: [...list, { id, tone, text, detail, undo, action }] }));
  if (tone === 'bad') return;
  // Screen readers ignore a live region that is added together with its text, unless it is an alert. The permanent region announces this.
  say(text);
  const stays = undo === undefined && action === undefined ? GOOD_NEWS_MS : UNDO_MS;
  // A message that has the focus stays.
  const leave = () => {
    if (document.activeElement?.closest('[data-messages]')) setTimeout(leave, stays);
    else close(id);
  };
  setTimeout(leave, stays);
}

/** Announces a text to screen readers without showing it, for moves and selections. */
export function say(text: string): void {
  useMessages.setState(({ said }) => ({ spoken: text, said: said + 1 }));
}

export function tellError(error: unknown): void {
  tell('bad', error instanceof Error ? error.message : String(error), { detail: detailOf(error) });
}

/** The error code and the request id of a server error, for a bug report. */
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
  /** The element that had the focus before the message, which gets it back when the message is closed. */
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
        {list.map(({ id, tone, text, detail, undo, action }) => (
          <div
            key={id}
            role={tone === 'bad' ? 'alert' : undefined}
            className={`${styles.message} ${styles[tone]}`}
          >
            <span>
              {text}
              {detail !== undefined && <code className={styles.detail}>{detail}</code>}
            </span>
            {action !== undefined && (
              <Button
                look="quiet"
                className={styles.undo}
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
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
