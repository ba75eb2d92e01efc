import { useCanvas } from '../canvas-store.ts';

/** From a field on the page to its properties, which otherwise stand behind all the other fields; Escape leads back. */
export function goToProperties(): void {
  // A narrow window shows one side panel, or none.
  useCanvas.setState({ sidePanel: 'right' });
  // They are there before the next frame.
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-inspector] input:not(:disabled)')?.focus(),
  );
}
