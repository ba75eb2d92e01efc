import type { Command } from 'commander';
import { registerAccountsList } from './accounts-list.ts';
import { registerAccountsSet } from './accounts-set.ts';
import { registerAuditExport } from './audit-export.ts';
import { registerAuditVerify } from './audit-verify.ts';
import { registerConfig } from './config.ts';
import { registerDoctor } from './doctor.ts';
import { registerExport } from './export.ts';
import { registerImport } from './import.ts';
import { registerKeysCreate } from './keys-create.ts';
import { registerKeysList } from './keys-list.ts';
import { registerKeysRevoke } from './keys-revoke.ts';
import { registerKeysRotate } from './keys-rotate.ts';
import { registerLoginLink } from './login-link.ts';
import { registerMigrate } from './migrate.ts';
import { registerSecretsRetire } from './secrets-retire.ts';
import { registerSecretsRotate } from './secrets-rotate.ts';
import { registerSecretsStatus } from './secrets-status.ts';
import { registerServe } from './serve.ts';

/** Registers the commands of an installation: the server itself, and those of its operator. */
export function registerServerCommands(program: Command): void {
  registerServe(program);
  const keys = program.command('keys').description('Manage API keys');
  registerKeysCreate(keys);
  registerKeysList(keys);
  registerKeysRotate(keys);
  registerKeysRevoke(keys);
  const accounts = program.command('accounts').description('Manage accounts and their plans');
  registerAccountsList(accounts);
  registerAccountsSet(accounts);
  const audit = program.command('audit').description('Export and verify the audit log of operators');
  registerAuditExport(audit);
  registerAuditVerify(audit);
  const secrets = program.command('secrets').description('Rotate the installation secret and the seal key');
  registerSecretsStatus(secrets);
  registerSecretsRotate(secrets);
  registerSecretsRetire(secrets);
  registerConfig(program);
  registerLoginLink(program);
  registerMigrate(program);
  registerDoctor(program);
  registerExport(program);
  registerImport(program);
}
