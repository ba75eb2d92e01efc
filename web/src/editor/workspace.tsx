import { lazy, Suspense, useEffect } from 'react';
import { loadLocks, useCanvas } from '../canvas/canvas-store.ts';
import { listenToShortcuts } from '../canvas/commands/shortcuts.ts';
import { ContextMenu } from '../canvas/menus/context-menu.tsx';
import { ShortcutSheet } from '../canvas/toolbar/shortcut-sheet.tsx';
import { Toolbar } from '../canvas/toolbar/toolbar.tsx';
import { usePdf } from '../canvas/use-pdf.ts';
import { Canvas } from '../canvas/view/canvas.tsx';
import { PageStrip } from '../canvas/view/page-strip.tsx';
import { useDetectionOnOpening } from '../detect/detect-section.tsx';
import { SidePanel } from '../fields/side-panel.tsx';
import { Inspector } from '../inspector/inspector.tsx';
import { Header } from '../shell/header.tsx';
import { useArrival } from '../shell/use-arrival.ts';
import { Waiting } from '../ui/waiting.tsx';
import { EditorHead } from './editor-head.tsx';
import { useEditor } from './editor-store.ts';
import styles from './workspace.module.css';

const PreviewScreen = lazy(async () => ({
  default: (await import('../preview/preview-screen.tsx')).PreviewScreen,
}));

/** The element that gets the focus on arrival, so that canvas shortcuts work at once. */
const PAGES = () => document.querySelector('[data-tool]');

/** The editor with an open project: the canvas, or the preview instead of it. */
export function Workspace() {
  const isPreview = useEditor((editor) => editor.panel === 'preview');
  const id = useEditor((editor) => editor.project?.id ?? '');
  const name = useEditor((editor) => editor.project?.name ?? '');
  useEffect(() => loadLocks(id), [id]);
  useEffect(() => {
    document.title = `${name} · Rowpress`;
    return () => {
      document.title = 'Rowpress';
    };
  }, [name]);
  useArrival(PAGES);
  return (
    <div className={styles.screen}>
      <Header wideMiddle>
        <EditorHead />
      </Header>
      {isPreview ? (
        <main className={styles.preview}>
          <Suspense fallback={<Waiting />}>
            <PreviewScreen />
          </Suspense>
        </main>
      ) : (
        <Design />
      )}
    </div>
  );
}

const NO_BYTES = new Uint8Array();

function Design() {
  const source = useEditor((editor) => editor.project?.source);
  const name = useEditor((editor) => editor.project?.name);
  const pdf = usePdf(source?.bytes ?? NO_BYTES);
  const panel = useEditor((editor) => editor.panel);
  const sidePanel = useCanvas((canvas) => canvas.sidePanel);
  useEffect(() => listenToShortcuts(), []);
  useDetectionOnOpening();
  useEffect(() => {
    // A command that opens the data panel must show it even in a narrow window.
    if (panel === 'data') useCanvas.setState({ sidePanel: 'left' });
  }, [panel]);
  return (
    <main className={styles.design}>
      <h1 className="visually-hidden">{name}</h1>
      <Toolbar />
      <div className={styles.body} data-side-panel={sidePanel ?? 'none'}>
        <SidePanel />
        {(source?.pages.length ?? 0) > 1 && <PageStrip pdf={pdf} />}
        <Canvas pdf={pdf} />
        <Inspector />
      </div>
      <ContextMenu />
      <ShortcutSheet />
    </main>
  );
}
