import { readFileSync } from 'node:fs';
import { BadSecret, BadValue } from './config/bad-value.ts';
import { crossChecks } from './config/cross-checks.ts';
import type { Setting } from './config/setting-kinds.ts';
import { type Config, settings } from './config/settings.ts';

/**
 * The configuration: one table of settings (config/settings.ts), read once at start. This is the only file that reads
 * `process.env`. An invalid value stops the start, and all invalid values are named at once.
 *
 * Every setting may also be set as `NAME_FILE`, the path of a file with the value (for mounted secrets).
 */
export type { Config };
export type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly shown: readonly ShownSetting[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** One row of `rowpress config`. Secret values are masked. */
export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly default: string;
  readonly meaning: string;
}

export function loadConfig(env: Environment = process.env): ConfigResult {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const shown: ShownSetting[] = [];
  for (const [key, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const raw = readRaw(env, setting.name, problems) ?? setting.default;
    try {
      values[key] = setting.parse(raw);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(
        `${setting.name} ${error.message}; received ${
          setting.secret || error instanceof BadSecret ? 'another value' : JSON.stringify(raw)
        }`,
      );
    }
    const value = setting.secret && raw !== '' ? '********' : raw;
    shown.push({ name: setting.name, value, default: setting.default, meaning: setting.meaning });
  }
  problems.push(...crossChecks(values as Partial<Config>));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, config: values as unknown as Config, shown };
}

/** Whether a shell of npm runs this command itself, as `npx rowpress` does, and not a program below a script of npm. */
export function isCommandOfNpm(env: Environment = process.env): boolean {
  return /^['"]?(\S*\/)?rowpress\b/.test(env.npm_lifecycle_script ?? '');
}

function readRaw(env: Environment, name: string, problems: string[]): string | undefined {
  const file = env[`${name}_FILE`];
  const direct = env[name];
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') problems.push(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(`cannot read ${name}_FILE: ${(error as Error).message}`);
    return undefined;
  }
}
