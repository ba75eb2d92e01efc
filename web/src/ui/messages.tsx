import { X } from 'lucide-react';
import { create } from 'zustand';
import { ServerRefusal } from '../api/operator-client.ts';
import { Button, IconButton } from './button.tsx';
import styles from './messages.module.css';

/**
 * Short notes in the corner, and a live region that says what happened to people who do not see it. Errors stay until
 * they are closed; good news leaves by itself.
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

const useMessages = create<{ list: readonly Message[]; spoken: string }>(() => ({ list: [], spoken: '' }));

export function tell(
  tone: Message['tone'],
  text: string,
  { detail, undo }: Pick<Message, 'detail' | 'undo'> = {},
): void {
  lastId += 1;
  const id = lastId;
  useMessages.setState(({ list }) => ({ list: [...list, { id, tone, text, detail, undo }] }));
  if (tone === 'good') setTimeout(() => close(id), undo === undefined ? GOOD_NEWS_MS : UNDO_MS);
}

/** Only said, not shown: for moves and selections. */
export function say(text: string): void {
  useMessages.setState({ spoken: text });
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
  const { list, spoken } = useMessages();
  return (
    <>
      <div aria-live="polite" className="visually-hidden">
        {spoken}
      </div>
      <section aria-label="Messages" className={styles.stack}>
        {list.map(({ id, tone, text, detail, undo }) => (
          <div
            key={id}
            role={tone === 'bad' ? 'alert' : 'status'}
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
                  close(id);
                  undo();
                }}
              >
                Undo
              </Button>
            )}
            <IconButton label="Close this message" onClick={() => close(id)}>
              <X size={14} />
            </IconButton>
          </div>
        ))}
      </section>
    </>
  );
}
