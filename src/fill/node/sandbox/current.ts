import { fileURLToPath } from 'node:url';
import { programOf } from '#lib/built-programs.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { LAYER_ADVICE, type SandboxLayers } from './layers.ts';
import { Sandbox } from './sandbox.ts';

/** `auto` uses all layers that the machine supports. `require` also requires namespaces, seccomp and no_new_privs to start. */
export type SandboxMode = 'auto' | 'require' | 'off';

const REQUIRED = ['namespaces', 'seccomp', 'no_new_privs'] as const;

let current: Sandbox | undefined;
let mode: SandboxMode = 'auto';

/** Applies ROWPRESS_SANDBOX to this process. */
export function setSandboxMode(chosen: SandboxMode): void {
  if (chosen !== mode) current = undefined;
  mode = chosen;
}

/** Returns the sandbox of this process's children. Examines the machine on first use. Throws if required layers are missing. */
export function currentSandbox(): Sandbox {
  current ??=
    mode === 'off' ? Sandbox.off() : Sandbox.find(fileURLToPath(programOf('src/fill/node/prepare-child.ts')));
  if (mode === 'require') refuseMissing(current.layers);
  return current;
}

export function refuseMissing(layers: SandboxLayers): void {
  const missing = REQUIRED.filter((name) => !layers[name]);
  if (missing.length === 0) return;
  throw new OperatorError(
    `ROWPRESS_SANDBOX is "require", but this machine lacks ${missing.join(' and ')} for the programs that read uploads. ` +
      `${missing.map((name) => `For ${name}: ${LAYER_ADVICE[name]}.`).join(' ')} Or set ROWPRESS_SANDBOX=auto.`,
  );
}
