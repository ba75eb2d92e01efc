import { describe, expect, it } from 'vitest';
import { emptyLayout, type Project } from '../project/project.ts';
import { inputsDigest } from './request-key.ts';
import { DEFAULT_RUN } from './run-choices.ts';

const project = {
  name: 'letter',
  source: { metadata: { sha256: 'a'.repeat(64) } } as Project['source'],
  layout: emptyLayout('letter'),
  assets: new Map([['logo.png', Uint8Array.of(1)]]),
};
const inputs = { account: 'main', project, rows: 'b'.repeat(64), choices: DEFAULT_RUN };

describe('what makes a run another run', () => {
  it('equal inputs: have one digest', () => {
    expect(inputsDigest({ ...inputs, project: { ...project, layout: emptyLayout('letter') } })).toBe(
      inputsDigest(inputs),
    );
  });

  it.each([
    ['account', { ...inputs, account: 'other' }],
    ['name', { ...inputs, project: { ...project, name: 'invoice' } }],
    ['rows', { ...inputs, rows: 'c'.repeat(64) }],
    ['asset', { ...inputs, project: { ...project, assets: new Map([['logo.png', Uint8Array.of(2)]]) } }],
    ['choice', { ...inputs, choices: { ...DEFAULT_RUN, flattenForms: true } }],
  ])('another %s: has another digest', (_, changed) => {
    expect(inputsDigest(changed)).not.toBe(inputsDigest(inputs));
  });
});
