import { Header } from '../shell/header.tsx';

export function StartScreen() {
  return (
    <>
      <Header />
      <main>
        <h1>Rowpress</h1>
      </main>
    </>
  );
}
