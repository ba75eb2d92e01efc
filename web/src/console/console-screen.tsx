import { Header } from '../shell/header.tsx';
import { EmptyState } from '../ui/badge.tsx';

export function ConsoleScreen() {
  return (
    <>
      <Header />
      <main>
        <EmptyState title="Console" />
      </main>
    </>
  );
}
