import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { newId } from '../drafts/new-id.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { Project } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { outputFields } from './output-fields.ts';
import type { RunChoices } from './run-choices.ts';

/** All inputs that distinguish one run from another. */
export interface RunInputs {
  readonly account: string;
  readonly project: Pick<Project, 'id' | 'name' | 'source' | 'layout' | 'assets'>;
  /** SHA-256 of the rows as sent. */
  readonly rows: string;
  /** SHA-256 of the ZIP of pictures. */
  readonly pictures?: string | undefined;
  readonly choices: RunChoices;
}

export function inputsDigest({ account, project, rows, pictures, choices }: RunInputs): string {
  // Options with their default are left out, so that keys of earlier versions stay valid.
  const { output: _, sheet: __, duplex: ___, passwordColumn: ____, groupBy: _____, ...others } = choices;
  const outputs = outputFields(choices);
  const further = [...(pictures === undefined ? [] : [pictures]), ...(outputs.length === 0 ? [] : [outputs])];
  return digestOf([account, project.name, ...projectParts(project), rows, others, ...further]);
}

/** Identifies a version of the project: its PDF, its layout and its assets. */
export const projectDigest = (project: RunInputs['project']): string => digestOf(projectParts(project));

function projectParts({ source, layout, assets }: RunInputs['project']): readonly unknown[] {
  const digests = [...assets].map(([asset, bytes]) => [asset, bytesToHex(sha256(bytes))]);
  return [source.metadata.sha256, layout, digests];
}

const digestOf = (told: readonly unknown[]) =>
  bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(told))));

/**
 * The Idempotency-Key of a run, stored in the draft: pressing Run twice, or again after a reload, requests the same job.
 * Other inputs get another key.
 */
export function requestKeyFor(inputs: RunInputs): string {
  const digest = inputsDigest(inputs);
  // Another project may have been opened while the run was prepared; its draft has a key of its own.
  const isOpen = useEditor.getState().project?.id === inputs.project.id;
  const { request } = useWork.getState();
  if (isOpen && request?.inputs === digest) return request.key;
  const key = `editor-${newId()}`;
  if (isOpen) useWork.setState({ request: { key, inputs: digest } });
  return key;
}

/** After a run that failed or was cancelled, the next one is a new request. The key of another run stays. */
export function forgetRequestKey(key: string | null): void {
  if (key !== null && useWork.getState().request?.key === key) useWork.setState({ request: null });
}
