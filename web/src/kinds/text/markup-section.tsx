import { markupProblem } from '#fill/kinds/text/styled-parts.ts';
import { common, member, setOptional } from '../../inspector/edit-selected.ts';
import styles from '../../inspector/inspector.module.css';
import { Section } from '../../inspector/section.tsx';
import { sentence } from '../../preview/code-words.ts';
import { Switch } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';

/** Styles inside of a text: marks in a fixed text or a template. */
export function MarkupSection({ overlays }: SectionProps) {
  const isOn = common(overlays, member('markup')) === true;
  const [problem] = overlays.flatMap((overlay) =>
    overlay.type === 'text' ? (markupProblem(overlay)?.message ?? []) : [],
  );
  return (
    <Section title="Styles in the text">
      <Switch
        label="Read marks as styles"
        hint="**bold**, *italic*, __underline__, [red](#c00000). Values of rows stay as they are."
        checked={isOn}
        onChange={(on) => setOptional('styles', 'markup', on ? true : undefined)}
      />
      {problem !== undefined && (
        <p role="status" className={styles.note}>
          {sentence(problem)}.
        </p>
      )}
    </Section>
  );
}
