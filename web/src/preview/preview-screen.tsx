import { EmptyState } from '../ui/badge.tsx';

/** Takes the canvas's place: a row's own PDF, as the engine makes it. */
export function PreviewScreen() {
  return <EmptyState title="Preview" />;
}
