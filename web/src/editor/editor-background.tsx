import { useEffect } from 'react';
import { showProjectFonts } from '../canvas/content/project-fonts.ts';
import { IntakeDialogs } from '../data/intake-dialogs.tsx';
import { ConflictDialog } from '../drafts/conflict-dialog.tsx';
import { persistDrafts } from '../drafts/draft-keeper.ts';
import { acceptWindowDrops } from '../files/window-drops.ts';
import { DifferencesDialog } from '../project/differences-dialog.tsx';

/** What runs on every editor screen: it stores the draft, accepts dropped files, loads the project's fonts and shows the dialogs that both can open. */
export function EditorBackground() {
  useEffect(persistDrafts, []);
  useEffect(acceptWindowDrops, []);
  useEffect(showProjectFonts, []);
  return (
    <>
      <IntakeDialogs />
      <DifferencesDialog />
      <ConflictDialog />
    </>
  );
}
