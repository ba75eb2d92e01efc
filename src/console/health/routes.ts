import type { ConsoleParts } from '../console-parts.ts';
import type { OperatorApp } from '../operator-app.ts';

export function healthRoutes(app: OperatorApp, { health }: ConsoleParts): void {
  app.get('/health', () => health.read());
}
