import type { LayoutFont } from '#fill/package/layout-schema.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { tellError } from '../../ui/messages.tsx';

/** The family under which the browser has a font of the project, so that it cannot meet an installed font of that name. */
export const projectFamily = (name: string): string => `Project ${name}`;

const STYLES = [
  ['regular', '400', 'normal'],
  ['bold', '700', 'normal'],
  ['italic', '400', 'italic'],
  ['bold_italic', '700', 'italic'],
] as const;

/** Gives the browser the fonts of the open project, for the canvas. The preview draws with the engine's own. */
export function showProjectFonts(): () => void {
  let shown: { readonly bytes: Uint8Array; readonly font: FontFace }[] = [];
  const update = () => {
    const { project } = useEditor.getState();
    const wanted = (project?.layout.fonts ?? []).flatMap((font) =>
      facesOf(font, project?.assets ?? new Map()),
    );
    const isWanted = (bytes: Uint8Array) => wanted.some((face) => face.bytes === bytes);
    for (const { bytes, font } of shown) if (!isWanted(bytes)) document.fonts.delete(font);
    shown = shown.filter(({ bytes }) => isWanted(bytes));
    for (const { bytes, name, weight, style } of wanted) {
      if (shown.some((face) => face.bytes === bytes)) continue;
      const font = new FontFace(projectFamily(name), bytes.slice().buffer, { weight, style });
      shown.push({ bytes, font });
      font.load().then((loaded) => document.fonts.add(loaded), tellError);
    }
  };
  update();
  const stop = useEditor.subscribe((now, before) => {
    if (
      now.project?.layout.fonts !== before.project?.layout.fonts ||
      now.project?.assets !== before.project?.assets
    )
      update();
  });
  return () => {
    stop();
    for (const { font } of shown) document.fonts.delete(font);
  };
}

function facesOf(font: LayoutFont, assets: ReadonlyMap<string, Uint8Array>) {
  return STYLES.flatMap(([member, weight, style]) => {
    const bytes = assets.get(font[member] ?? '');
    return bytes === undefined ? [] : [{ bytes, name: font.name, weight, style }];
  });
}
