import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { useEditor } from '../editor/editor-store.ts';
import { emptyLayout, type Project } from '../project/project.ts';
import { NO_WORK, useWork } from '../project/work-store.ts';
import { forgetRequestKey, inputsDigest, requestKeyFor } from './request-key.ts';
import { DEFAULT_RUN } from './run-choices.ts';

const project = {
  id: 'letter-1',
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

  it('[EDT2] the digest of a plain ZIP: does not depend on options that earlier versions lack', () => {
    const {
      output: _,
      sheet: __,
      duplex: ___,
      passwordColumn: ____,
      groupBy: _____,
      ...earlier
    } = DEFAULT_RUN;
    const parts = [inputs.account, project.name, project.source.metadata.sha256, project.layout];
    const assets = [['logo.png', bytesToHex(sha256(Uint8Array.of(1)))]];
    const text = JSON.stringify([...parts, assets, inputs.rows, earlier]);
    expect(inputsDigest(inputs)).toBe(bytesToHex(sha256(new TextEncoder().encode(text))));
  });

  it.each([
    ['account', { ...inputs, account: 'other' }],
    ['name', { ...inputs, project: { ...project, name: 'invoice' } }],
    ['rows', { ...inputs, rows: 'c'.repeat(64) }],
    ['asset', { ...inputs, project: { ...project, assets: new Map([['logo.png', Uint8Array.of(2)]]) } }],
    ['output', { ...inputs, choices: { ...DEFAULT_RUN, output: 'merged' as const } }],
    [
      'side of the paper',
      { ...inputs, choices: { ...DEFAULT_RUN, output: 'merged' as const, duplex: true } },
    ],
    ['password column', { ...inputs, choices: { ...DEFAULT_RUN, passwordColumn: 'column_0' } }],
    ['choice', { ...inputs, choices: { ...DEFAULT_RUN, flattenForms: true } }],
  ])('another %s: has another digest', (_, changed) => {
    expect(inputsDigest(changed)).not.toBe(inputsDigest(inputs));
  });
});

describe('the key of a run', () => {
  const openProject = (id: string) => {
    useEditor.setState({ project: { ...project, id, differences: [] } as Project });
    useWork.setState(NO_WORK);
  };

  it('[EDT2] pressed twice: one key, and another one after it was forgotten', () => {
    openProject(project.id);
    const key = requestKeyFor(inputs);
    expect(requestKeyFor(inputs)).toBe(key);
    forgetRequestKey(key);
    expect(requestKeyFor(inputs)).not.toBe(key);
  });

  it('[EDT252] another project is opened while a run is sent: its own key stays', () => {
    openProject(project.id);
    const sent = requestKeyFor(inputs);
    openProject('invoice-1');
    const own = { key: 'editor-own', inputs: 'd'.repeat(64) };
    useWork.setState({ request: own });
    expect(requestKeyFor(inputs)).toMatch(/^editor-/);
    expect(useWork.getState().request).toBe(own);
    forgetRequestKey(sent);
    expect(useWork.getState().request).toBe(own);
  });
});
