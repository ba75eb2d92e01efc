import { standOn } from '../ui/keep-focus.ts';
import { usePlace } from './router.ts';
import styles from './skip-links.module.css';

const CONTENT = ['Skip to the content', 'main'] as const;
/** In the editor, every tool and field comes between the first link's target and the pages. */
const IN_EDITOR = [CONTENT, ['Skip to the pages', '[data-tool]']] as const;

/** Links past the parts that every screen has. They are visible only while they have the focus. They are buttons, because `<base>` would change the target of a `#…` link. */
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
