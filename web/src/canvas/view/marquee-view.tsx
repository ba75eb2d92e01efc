import { useCanvas } from '../canvas-store.ts';
import styles from './canvas.module.css';
import { boxStyle } from './scaled-style.ts';

export function Marquee() {
  const marquee = useCanvas((canvas) => canvas.marquee);
  return marquee === null ? null : <div className={styles.marquee} style={boxStyle(marquee)} />;
}
