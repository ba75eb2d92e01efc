import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './code-block.module.css';

/** Text with a copy button: a command, a body, a key. */
export function CodeBlock({ text, what, wrap = false }: { text: string; what: string; wrap?: boolean }) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className={wrap ? styles.wrap : undefined}>
        {text}
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
