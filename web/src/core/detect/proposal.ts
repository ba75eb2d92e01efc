import type { Rect } from '../geometry/rect.ts';

/**
 * A field that the page seems to ask for. `text` and `comb` have one rectangle; a `check` has one box; a `choice` has one box
 * per option.
 */
export type Proposal = TextProposal | CombProposal | CheckProposal | ChoiceProposal;

interface Proposed {
  /** From 1. */
  readonly page: number;
  /** From the nearest label; empty if there is none. */
  readonly name: string;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface TextProposal extends Proposed {
  readonly kind: 'text';
  readonly rect: Rect;
}

export interface CombProposal extends Proposed {
  readonly kind: 'comb';
  readonly rect: Rect;
  readonly cells: number;
}

export interface CheckProposal extends Proposed {
  readonly kind: 'check';
  readonly rect: Rect;
}

export interface ChoiceProposal extends Proposed {
  readonly kind: 'choice';
  readonly options: readonly { readonly rect: Rect; readonly label: string }[];
}

export const rectsOf = (proposal: Proposal): readonly Rect[] =>
  proposal.kind === 'choice' ? proposal.options.map(({ rect }) => rect) : [proposal.rect];
