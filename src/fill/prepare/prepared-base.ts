import type { FormState } from '../forms/form-state.ts';
import type { SourceMetadata } from '../package/layout-schema.ts';
import type { Refusal } from './refusal.ts';

/**
 * The result of preparing a source: plain data. The row loop uses this and never the uploaded object graph, so it can come from
 * another process or from a cache. Everything except `bytes` is JSON.
 */
export interface PreparedBase {
  readonly bytes: Uint8Array;
  readonly facts: BaseFacts;
}

export interface BaseFacts {
  readonly engine: string;
  /** Offset of the base's cross-reference section, which is a tail's /Prev. */
  readonly startXref: number;
  /** The first object number of a tail. */
  readonly size: number;
  readonly rootNumber: number;
  readonly infoNumber: number | null;
  /** First half of /ID, hexadecimal; the second half is each row's own. */
  readonly id: string;
  /** Object numbers of the pages, in order. */
  readonly pageNumbers: readonly number[];
  readonly pages: readonly { readonly width: number; readonly height: number }[];
  readonly slots: readonly Slot[];
  readonly source: SourceMetadata;
  /** Object numbers of shared fonts and images, for the row drawer alone. */
  readonly resources: unknown;
  /** Native fields the layout maps, for the form filler alone. */
  readonly forms: FormState;
}

/** An empty Form XObject in the base. A row that draws on the page replaces it. */
export interface Slot {
  /** From 1. */
  readonly page: number;
  readonly num: number;
  /** The dictionary up to the value of /Resources. */
  readonly head: string;
  /** Of a tagged document alone. */
  readonly tags?: SlotTags;
}

/** Overlays of a slot that have an element in the document's structure, in the order of their marked content. Others are artifacts. */
export interface SlotTags {
  /** The identifier of the first one's content. */
  readonly first: number;
  /** Ids. */
  readonly overlays: readonly string[];
}

export type Prepared = { readonly ok: true; readonly base: PreparedBase } | Refusal;
