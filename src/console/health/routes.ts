import type { ConsoleParts } from '../console-parts.ts';
import { health } from '../contract/health.ts';
import { showExpiring } from '../keys/show-expiring.ts';
import type { OperatorApp } from '../operator-app.ts';

export function healthRoutes(app: OperatorApp, parts: ConsoleParts): void {
  app.get('/health', { config: { needs: 'inspect' }, schema: { response: { 200: health } } }, async () => {
    const [measured, expiring_keys] = await Promise.all([parts.health.read(), showExpiring(parts)]);
    return { ...measured, expiring_keys };
  });
}
