import { paddedSize } from '#fill/kinds/text/padding.ts';
import { metricsOf } from '../../core/overlays/text-baseline.ts';
import { combCharacters } from './comb-characters.ts';
import styles from './content.module.css';
import { familyOf, measured, type TextLook, VALIGN } from './text-content.tsx';

/** A comb with faint lines between its cells. The preview shows the engine's exact positions. */
export function CombContent({ look, text, comb }: { look: TextLook; text: string; comb: number }) {
  const characters = combCharacters(text, comb);
  const { width, height } = paddedSize({ ...look, comb });
  const widest = Math.max(...characters.map(measured(look)), 0);
  const most = Math.min(height, widest > 0 ? width / comb / widest : look.size);
  const size =
    look.fit === 'clip' ? look.size : Math.max(Math.min(look.min_size, look.size), Math.min(look.size, most));
  const { ascent, descent } = metricsOf(look.font);
  const free = comb - characters.length;
  const start = look.align === 'left' ? 0 : look.align === 'center' ? Math.floor(free / 2) : free;
  return (
    <span
      className={styles.comb}
      style={{ gridTemplateColumns: `repeat(${comb}, minmax(0, 1fr))` }}
      data-comb={comb}
    >
      {Array.from({ length: comb }, (_, cell) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
          key={cell}
          style={{
            alignItems: VALIGN[look.valign],
            paddingBlock: `calc(var(--z) * ${look.padding}px)`,
            fontFamily: familyOf(look.font),
            fontWeight: look.bold ? 700 : 400,
            fontStyle: look.italic ? 'italic' : 'normal',
            fontSize: `calc(var(--z) * ${size}px)`,
            lineHeight: (ascent + descent) / 1000,
            color: look.color,
          }}
        >
          {characters[cell - start]}
        </span>
      ))}
    </span>
  );
}
