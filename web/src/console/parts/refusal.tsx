import { ServerRefusal } from '../../api/server-refusal.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './refusal.module.css';

/** What a refusal says about one field of a form, to stand beside that field; undefined if it is about something else. */
export const aboutField = (error: unknown, field: string): string | undefined =>
  error instanceof ServerRefusal && error.field?.split('.')[0] === field ? error.message : undefined;

/** Why something could not be shown or done: the server's words, and what to hand to whoever looks into it. */
export function Refusal({ title, error, onRetry }: { title: string; error: unknown; onRetry?: () => void }) {
  const refusal = error instanceof ServerRefusal ? error : undefined;
  const said = error instanceof Error ? error.message : String(error);
  // A fetch that never reached the server says so in words made for programmers.
  const message = error instanceof TypeError ? 'Cannot reach the server. Check that it is running.' : said;
  return (
    <Banner tone="bad" title={title} action={onRetry && <Button onClick={onRetry}>Try again</Button>}>
      {message}
      {refusal !== undefined && (
        <span className={styles.detail}>
          <code>{refusal.code}</code>
          {refusal.requestId !== undefined && (
            <>
              {' · request '}
              <code>{refusal.requestId}</code>
            </>
          )}
        </span>
      )}
    </Banner>
  );
}
