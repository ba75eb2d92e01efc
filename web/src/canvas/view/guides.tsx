import { useCanvas } from '../canvas-store.ts';
import styles from './canvas.module.css';
import { scaled } from './scaled-style.ts';

export function Guides({ page }: { page: number }) {
  const guides = useCanvas((canvas) => (canvas.guides?.page === page ? canvas.guides.guides : null));
  if (guides === null) return null;
  return guides.map(({ axis, at, from, to, kind }) => {
    const upright = axis === 'x';
    const style = upright
      ? { left: scaled(at), top: scaled(from), height: scaled(to - from) }
      : { top: scaled(at), left: scaled(from), width: scaled(to - from) };
    const shape = upright ? styles.uprightGuide : styles.levelGuide;
    return (
      <div
        key={`${axis} ${at} ${from} ${kind}`}
        aria-hidden="true"
        data-guide={axis}
        className={`${styles.guide} ${shape} ${kind === 'gap' ? styles.gap : ''}`}
        style={style}
      />
    );
  });
}
