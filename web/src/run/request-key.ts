import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { newId } from '../drafts/new-id.ts';
import type { Project } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import type { RunChoices } from './run-choices.ts';

/** All inputs that distinguish one run from another. */
export interface RunInputs {
  readonly account: string;
  readonly project: Pick<Project, 'name' | 'source' | 'layout' | 'assets'>;
  /** SHA-256 of the rows as sent. */
  readonly rows: string;
  readonly choices: RunChoices;
}

export function inputsDigest({ account, project, rows, choices }: RunInputs): string {
  const { name, source, layout } = project;
  const assets = [...project.assets].map(([asset, bytes]) => [asset, bytesToHex(sha256(bytes))]);
  const told = [account, name, source.metadata.sha256, layout, assets, rows, choices];
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(told))));
}

/**
 * The Idempotency-Key of a run, stored in the draft: pressing Run twice, or again after a reload, requests the same job.
 * Other inputs get another key.
 */
export function requestKeyFor(inputs: RunInputs): string {
  const digest = inputsDigest(inputs);
  const { request } = useWork.getState();
  if (request?.inputs === digest) return request.key;
  const key = `editor-${newId()}`;
  useWork.setState({ request: { key, inputs: digest } });
  return key;
}

/** After a run that failed or was cancelled, the next one is a new request. */
export const forgetRequestKey = (): void => useWork.setState({ request: null });
