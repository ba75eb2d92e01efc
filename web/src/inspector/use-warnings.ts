import { useEffect, useMemo, useState } from 'react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { encodeCode, smallCode } from '../canvas/content/encode-code.ts';
import { badges } from '../core/overlays/badges.ts';
import { type LayoutWarning, layoutWarnings } from '../core/warnings/layout-warnings.ts';
import { useEditor } from '../editor/editor-store.ts';
import { isCode } from '../kinds/tools.ts';

const NONE: readonly LayoutWarning[] = [];

/** All warnings about the committed layout that do not depend on a row. The engine's encoders check the codes. */
export function useWarnings(): readonly LayoutWarning[] {
  const layout = useEditor((editor) => editor.project?.layout);
  const pages = useEditor((editor) => editor.project?.source.pages);
  const [codes, setCodes] = useState<readonly LayoutWarning[]>(NONE);
  useEffect(() => {
    let stale = false;
    const check = layout === undefined ? Promise.resolve(NONE) : codeWarnings(layout);
    check.then(
      (found) => {
        if (!stale) setCodes((before) => (before.length + found.length === 0 ? before : found));
      },
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [layout]);
  const places = useMemo(
    () => (layout === undefined || pages === undefined ? NONE : layoutWarnings(layout, pages)),
    [layout, pages],
  );
  return useMemo(() => [...codes, ...places], [codes, places]);
}

/** Warnings about static values of codes, in the engine's words: characters, length, check digit and size. */
async function codeWarnings(layout: Layout): Promise<readonly LayoutWarning[]> {
  const found: LayoutWarning[] = [];
  for (const overlay of layout.overlays) {
    if (!isCode(overlay) || !('static' in overlay.value)) continue;
    const made = await encodeCode(overlay, overlay.value.static);
    const name = badges(layout).get(overlay.id) ?? overlay.id;
    if ('invalid' in made) {
      const message = `${name} cannot be encoded: ${made.invalid}`;
      found.push({ kind: 'code-invalid', ids: [overlay.id], message });
      continue;
    }
    const small = smallCode(overlay, made);
    if (small !== null)
      found.push({ kind: 'code-small', ids: [overlay.id], message: `${name} may not scan: ${small}` });
  }
  return found;
}
