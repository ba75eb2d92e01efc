import { Users } from 'lucide-react';
import { useEffect } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { Button } from '../ui/button.tsx';
import { deviceWords } from '../ui/device-words.ts';
import { tellError } from '../ui/messages.tsx';
import { followServer } from './open-project.ts';
import { reportPresence, usePresence } from './presence.ts';
import { presenceWords } from './presence-words.ts';
import { askAboutDraft, keepServerDraft, useServerDraft } from './server-draft.ts';
import styles from './shared-work.module.css';

const DRAFT_WORDS = {
  kept: 'Draft saved on the server',
  failed: 'Draft only in this browser',
} as const;

/**
 * Says who else has the open project of the library, what they saved, and whether the draft is on the server. It takes no room,
 * so that nothing moves when it changes.
 */
export function SharedWork() {
  const { others, newer } = usePresence();
  const { state, elsewhere } = useServerDraft();
  const id = useEditor((editor) => editor.project?.id);
  useEffect(reportPresence, []);
  useEffect(keepServerDraft, []);
  const words = presenceWords(others, deviceWords(navigator.userAgent));
  return (
    <span role="status" className={styles.place}>
      {newer !== null && id !== undefined && (
        <Button look="quiet" onClick={() => void followServer(id).catch(tellError)}>
          Version {newer} was saved
        </Button>
      )}
      {elsewhere !== null && (
        <Button look="quiet" onClick={askAboutDraft}>
          Changed in another browser
        </Button>
      )}
      {words !== '' && (
        <span className={styles.mark}>
          <Users size={14} aria-hidden="true" />
          <span>Also open: {words}</span>
        </span>
      )}
      {state !== 'none' && <span className={styles.draft}>{DRAFT_WORDS[state]}</span>}
    </span>
  );
}
