import type { FieldRule, MultipartForm, MultipartRules } from '#http/multipart-form.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { type CreateLimits, refuseField } from '../create/create-fields.ts';
import type { FilePart } from '../create/read-form.ts';
import { refuse } from '../errors.ts';
import { nameProblem } from './project-reference.ts';

const MAX_LAYOUT_BYTES = 4_000_000;
const MAX_NAME_BYTES = 4_096;
/** Multipart overhead. */
const FORM_BYTES = 64 * 1024;

/** The parts of a save. A create has a name, a PDF and a package or a layout. */
export interface ProjectForm {
  readonly name?: string | undefined;
  readonly pdf?: FilePart | undefined;
  readonly package?: FilePart | undefined;
  /** The text of a layout that the server seals. */
  readonly layout?: string | undefined;
}

type Limits = Pick<CreateLimits, 'maxPdfBytes' | 'maxPackageBytes'>;

export function maxProjectBytes({ maxPdfBytes, maxPackageBytes }: Limits): number {
  return maxPdfBytes + maxPackageBytes + MAX_LAYOUT_BYTES + MAX_NAME_BYTES + FORM_BYTES;
}

export function projectRules({ maxPdfBytes, maxPackageBytes }: Limits): MultipartRules {
  const fields: Record<string, FieldRule> = {
    name: { kind: 'text', maxBytes: MAX_NAME_BYTES },
    pdf: { kind: 'file', maxBytes: maxPdfBytes },
    doqlo_file: { kind: 'file', maxBytes: maxPackageBytes },
    layout: { kind: 'text', maxBytes: MAX_LAYOUT_BYTES },
  };
  return { fields, refuse: (refusal) => refuseField(refusal, fields) };
}

export function readProjectForm({ parts }: MultipartForm<StagedBlob>): ProjectForm {
  const text = (name: string) => {
    const part = parts.get(name);
    return part?.kind === 'text' ? part.value : undefined;
  };
  const file = (name: string) => {
    const part = parts.get(name);
    return part?.kind === 'file' ? part : undefined;
  };
  const form = {
    name: text('name')?.normalize('NFC'),
    pdf: file('pdf'),
    package: file('doqlo_file'),
    layout: text('layout'),
  };
  if (form.name !== undefined) checkName(form.name);
  if (form.package !== undefined && form.layout !== undefined)
    throw refuse('SOURCE_CONFLICT', 'Send either doqlo_file or layout; received both.');
  return form;
}

function checkName(name: string): void {
  const problem = nameProblem(name);
  if (problem === undefined) return;
  throw refuse('INVALID_FIELD', `name ${problem}; received ${JSON.stringify(shortened(name))}.`);
}

const shortened = (text: string) => [...text].slice(0, 100).join('');

/** The parts that a create requires. */
export interface NewProjectForm extends ProjectForm {
  readonly name: string;
  readonly pdf: FilePart;
}

export function requireAll(form: ProjectForm): NewProjectForm {
  const { name, pdf } = form;
  if (name === undefined) throw missing('name');
  if (pdf === undefined) throw missing('pdf');
  if (form.package === undefined && form.layout === undefined)
    throw refuse('MISSING_FIELD', 'The field doqlo_file is missing. Send it, or layout.');
  return { ...form, name, pdf };
}

export function requireOne(form: ProjectForm): ProjectForm {
  if (Object.values(form).every((part) => part === undefined))
    throw refuse('MISSING_FIELD', 'Send at least one of name, pdf, doqlo_file and layout.');
  return form;
}

const missing = (field: string) => refuse('MISSING_FIELD', `The field ${field} is missing.`);
