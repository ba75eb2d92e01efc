import { useEffect, useState } from 'react';
import { MM } from '#fill/draw/codes/code-size.ts';
import { drawnWidth, encodeCode, smallCode } from '../canvas/content/encode-code.ts';
import { shownValue } from '../canvas/content/shown-value.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { EncodedCode } from '../kinds/kind-tool.ts';
import type { SectionProps } from '../kinds/kind-view.ts';
import { isCode } from '../kinds/tools.ts';
import styles from './inspector.module.css';

/** The result of the engine's encoder for the value in the preview row. */
export function CodeCheck({ overlays }: SectionProps) {
  const layout = useEditor((editor) => editor.project?.layout);
  const cells = useEditor((editor) => editor.previewCells);
  const [overlay] = overlays;
  const [made, setMade] = useState<EncodedCode | null>(null);
  const code = overlay !== undefined && isCode(overlay) ? overlay : undefined;
  const value =
    code !== undefined && layout !== undefined ? shownValue(layout, code.value, code.format, cells) : null;
  useEffect(() => {
    setMade(null);
    if (code === undefined || value === null || value.isPlaceholder) return;
    let stale = false;
    encodeCode(code, value.text).then(
      (encoded) => {
        if (!stale) setMade(encoded);
      },
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [code, value?.text, value?.isPlaceholder, value]);
  if (overlays.length !== 1 || code === undefined || made === null) return null;
  if ('invalid' in made) return <p className={styles.problem}>Cannot be encoded: {made.invalid}</p>;
  const small = smallCode(code, made);
  const millimetres = (drawnWidth(code, made) * made.module) / made.width / MM;
  return (
    <p className={small === null ? styles.note : styles.problem}>
      {small ?? `Modules of ${millimetres.toFixed(2)} mm with the quiet zone.`}
    </p>
  );
}
