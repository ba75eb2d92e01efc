import type { Overlay } from '#fill/package/layout-schema.ts';
import { patchOverlays, withMembers } from '../core/overlays/patch-overlays.ts';
import { useEditor } from '../editor/editor-store.ts';
import { FileButton } from '../files/file-button.tsx';
import { addFont, readFontFile } from '../project/add-font.ts';
import { tell, tellError } from '../ui/messages.tsx';
import { assetNameFor } from './asset-name.ts';

/** Adds font files to the project and uses the first of them for the selected texts. The files are part of the saved package. */
export function FontUpload() {
  return (
    <FileButton
      accept=".ttf,.otf,font/ttf,font/otf"
      label="Upload font…"
      look="quiet"
      multiple
      onFiles={(files) => void take(files).catch(tellError)}
    />
  );
}

async function take(files: readonly File[]): Promise<void> {
  const named: string[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const font = readFontFile(file.name, bytes);
    if (!font.ok) {
      tell('bad', font.message);
      continue;
    }
    const { project, selection, change, addAsset } = useEditor.getState();
    if (project === null) return;
    const asset = assetNameFor(file.name, project.assets);
    const added = addFont(project.layout, font, asset);
    if (added === null) {
      tell('bad', `${file.name} was not added: a project has at most 20 fonts.`);
      continue;
    }
    addAsset(asset, bytes);
    const use = (overlay: Overlay) =>
      'font' in overlay ? withMembers(overlay, { font: font.name } as Partial<Overlay>) : overlay;
    const isFirst = named.length === 0;
    change(`Add the font ${font.name}`, () => (isFirst ? patchOverlays(added, selection, use) : added));
    named.push(font.name);
  }
  if (named.length > 0) tell('good', `Added ${[...new Set(named)].join(', ')}.`);
}
