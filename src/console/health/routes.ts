import type { ConsoleParts } from '../console-parts.ts';
import { showExpiring } from '../keys/show-expiring.ts';
import type { OperatorApp } from '../operator-app.ts';

export function healthRoutes(app: OperatorApp, parts: ConsoleParts): void {
  app.get('/health', async () => {
    const [health, expiring_keys] = await Promise.all([parts.health.read(), showExpiring(parts)]);
    return { ...health, expiring_keys };
  });
}
