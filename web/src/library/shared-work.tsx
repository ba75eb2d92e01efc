import { Users } from 'lucide-react';
import { useEffect } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { deviceWords } from './device-words.ts';
import { followServer } from './open-project.ts';
import { reportPresence, usePresence } from './presence.ts';
import { presenceWords } from './presence-words.ts';
import styles from './shared-work.module.css';

/** Says who else has the open project of the library, and what they saved. It takes no room, so that nothing moves when it changes. */
export function SharedWork() {
  const { others, newer } = usePresence();
  const id = useEditor((editor) => editor.project?.id);
  useEffect(reportPresence, []);
  const words = presenceWords(others, deviceWords(navigator.userAgent));
  return (
    <span role="status" className={styles.place}>
      {newer !== null && id !== undefined && (
        <Button look="quiet" onClick={() => void followServer(id).catch(tellError)}>
          Version {newer} was saved
        </Button>
      )}
      {words !== '' && (
        <span className={styles.mark}>
          <Users size={14} aria-hidden="true" />
          <span>Also open: {words}</span>
        </span>
      )}
    </span>
  );
}
