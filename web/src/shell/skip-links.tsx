import { standOn } from '../ui/keep-focus.ts';
import { usePlace } from './router.ts';
import styles from './skip-links.module.css';

const CONTENT = ['Skip to the content', 'main'] as const;
/** In the editor the way there leads past every tool and the list of all fields. */
const IN_EDITOR = [CONTENT, ['Skip to the pages', '[data-tool]']] as const;

/** Seen only when Tab comes to them: ways past what stands on every screen. Buttons, because an address would be one under `<base>`. */
export function SkipLinks() {
  const { segments } = usePlace();
  return (segments[0] === 'editor' ? IN_EDITOR : [CONTENT]).map(([words, target]) => (
    <button
      key={target}
      type="button"
      className={styles.skip}
      onClick={() => standOn(document.querySelector(target))}
    >
      {words}
    </button>
  ));
}
