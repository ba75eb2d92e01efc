import {
  currentSandbox,
  refuseMissing,
  type SandboxMode,
  setSandboxMode,
} from '#fill/node/sandbox/current.ts';
import { describeLayers, LAYER_ADVICE, type SandboxLayers } from '#fill/node/sandbox/layers.ts';
import type { Finding } from './finding.ts';

/** Reports the layers that the child processes of a server on this machine would have, each as true or false. */
export function examineSandbox(mode: SandboxMode): Finding & SandboxLayers {
  setSandboxMode(mode === 'off' ? 'off' : 'auto');
  const { layers } = currentSandbox();
  const found = { name: 'sandbox', ...layers, detail: describeLayers(layers) };
  if (mode === 'off')
    return { ...found, state: 'warning', detail: 'disabled', advice: 'set ROWPRESS_SANDBOX to auto' };
  try {
    if (mode === 'require') refuseMissing(layers);
  } catch (error) {
    return { ...found, state: 'failed', detail: (error as Error).message };
  }
  const missing = (['namespaces', 'seccomp', 'no_new_privs', 'user'] as const).find((name) => !layers[name]);
  if (missing === undefined) return { ...found, state: 'ok' };
  return { ...found, state: 'warning', advice: `for ${missing}: ${LAYER_ADVICE[missing]}` };
}
