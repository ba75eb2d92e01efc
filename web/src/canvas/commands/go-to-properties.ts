import { useCanvas } from '../canvas-store.ts';

/** Moves the focus from a field to its properties, past all other fields. Escape returns to the field. */
export function goToProperties(): void {
  // A narrow window shows at most one side panel.
  useCanvas.setState({ sidePanel: 'right' });
  // The properties are rendered before the next frame.
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-inspector] input:not(:disabled)')?.focus(),
  );
}
