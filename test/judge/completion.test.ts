import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { rowpress } from '../support/cli.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';

const room = new JudgeRoom();
afterAll(() => room.close());

describe('shells with the completion script', () => {
  it.skipIf(missingJudges('fish').length > 0)(
    '[OPS80] fish: completes commands, options and values',
    async () => {
      const script = room.put('rowpress.fish', (await rowpress(['completion', 'fish'])).stdout);
      const ask = (line: string) =>
        execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], {
          encoding: 'utf8',
        })
          .trim()
          .split('\n')
          .map((found) => found.split('\t')[0]);
      expect(ask('rowpress ke')).toEqual(['keys']);
      expect(ask('rowpress jobs ')).toEqual(['cancel', 'list', 'retry', 'show']);
      expect(ask('rowpress keys create --surface ').sort()).toEqual(['bulkfill', 'ingest', 'subscribers']);
      expect(ask('rowpress submit --dry')).toEqual(['--dry-run']);
    },
  );

  it.skipIf(missingJudges('zsh').length > 0)('[OPS80] zsh: loads the script', async () => {
    const script = room.put('rowpress.zsh', (await rowpress(['completion', 'zsh'])).stdout);
    const load = `autoload -Uz compinit; compinit -u -D; source ${script}; print -- $_comps[rowpress]`;
    expect(execFileSync('zsh', ['-f', '-c', load], { encoding: 'utf8' }).trim()).toBe('_rowpress');
  });
});
