import { type Config, loadConfig, type ShownSetting } from '#config.ts';

/** Lists all invalid settings; exit code 2. */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration';
}

export function readConfig(): { config: Config; shown: readonly ShownSetting[] } {
  const result = loadConfig();
  if (!result.ok)
    throw new BadConfiguration(
      `The configuration has ${result.problems.length === 1 ? 'a problem' : `${result.problems.length} problems`}:\n${result.problems
        .map((problem) => `  ${problem}`)
        .join('\n')}`,
    );
  return result;
}
