import type { Command } from 'commander';
import { printJson } from './answer.ts';
import { examine } from './doctor/examine.ts';
import type { Finding } from './doctor/finding.ts';
import { readConfig } from './read-config.ts';

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Check what the server needs and suggest fixes')
    .option('--json', 'Print one JSON object')
    .action(run);
}

const marks = { ok: 'ok      ', warning: 'warning ', failed: 'FAILED  ' } as const;

async function run({ json }: { readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  const findings = await examine(config);
  const ok = findings.every(({ state }) => state !== 'failed');
  if (json) printJson({ ok, checks: findings });
  else for (const finding of findings) process.stdout.write(line(finding));
  if (!ok) process.exitCode = 1;
}

function line({ name, state, detail, advice }: Finding): string {
  return `${marks[state]}${name}: ${detail}\n${advice === undefined ? '' : `        → ${advice}\n`}`;
}
