import { useEffect, useRef } from 'react';
import type { Box } from '../core/geometry/box.ts';
import styles from './preview-screen.module.css';
import { usePreview } from './preview-store.ts';

/** Room between the field and its frame, in CSS pixels, so that the frame never covers the text. */
const ROOM = 4;

/** A frame around a field of the document, green if the field has no problem. It scrolls into view each time the field is pointed at. */
export function Highlight({ id, box, scale }: { id: string; box: Box; scale: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const pointed = usePreview((preview) => preview.pointed);
  const isFine = usePreview(
    ({ shown }) =>
      shown?.ok === true &&
      shown.result.error === null &&
      shown.result.warnings.every(({ overlay_id }) => overlay_id !== id),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: pointing at the same field again scrolls again
  useEffect(() => {
    frame.current?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [pointed, scale]);
  return (
    <div
      ref={frame}
      className={styles.highlight}
      data-highlight={id}
      data-fine={isFine || undefined}
      style={{
        left: box.x * scale - ROOM,
        top: box.y * scale - ROOM,
        width: box.width * scale + 2 * ROOM,
        height: box.height * scale + 2 * ROOM,
        ...(box.rotation === 0 ? {} : { rotate: `${box.rotation}deg` }),
      }}
    />
  );
}
