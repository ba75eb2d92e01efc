import { ServerRefusal } from '../../api/server-refusal.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './refusal.module.css';

/** Returns the message of an error about this form field, or undefined if the error is about something else. */
export const aboutField = (error: unknown, field: string): string | undefined =>
  error instanceof ServerRefusal && error.field?.split('.')[0] === field ? error.message : undefined;

/** Shows an error: the server's message, and the code and request id for a bug report. */
export function Refusal({ title, error, onRetry }: { title: string; error: unknown; onRetry?: () => void }) {
  const refusal = error instanceof ServerRefusal ? error : undefined;
  const said = error instanceof Error ? error.message : String(error);
  // The browser's message for a failed connection is technical.
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
