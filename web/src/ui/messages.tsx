import { X } from 'lucide-react';
import { create } from 'zustand';
import { IconButton } from './button.tsx';
import styles from './messages.module.css';

/**
 * Short notes in the corner, and a live region that says what happened to people who do not see it. Errors stay until
 * they are closed; good news leaves by itself.
 */
interface Message {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

const GOOD_NEWS_MS = 5_000;
let lastId = 0;

const useMessages = create<{ list: readonly Message[]; spoken: string }>(() => ({ list: [], spoken: '' }));

export function tell(tone: Message['tone'], text: string): void {
  lastId += 1;
  const id = lastId;
  useMessages.setState(({ list }) => ({ list: [...list, { id, tone, text }] }));
  if (tone === 'good') setTimeout(() => close(id), GOOD_NEWS_MS);
}

/** Only said, not shown: for moves and selections. */
export function say(text: string): void {
  useMessages.setState({ spoken: text });
}

export function tellError(error: unknown): void {
  tell('bad', error instanceof Error ? error.message : String(error));
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
        {list.map(({ id, tone, text }) => (
          <div
            key={id}
            role={tone === 'bad' ? 'alert' : 'status'}
            className={`${styles.message} ${styles[tone]}`}
          >
            <span>{text}</span>
            <IconButton label="Close this message" onClick={() => close(id)}>
              <X size={14} />
            </IconButton>
          </div>
        ))}
      </section>
    </>
  );
}
