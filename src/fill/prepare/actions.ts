import { type PdfDict, PdfString } from '@libpdf/core';
import { decodeTextString } from '../forms/text-string.ts';
import { nameOf, type SourceDocument } from './load-source.ts';

/** Actions that stay inside the document, or (URI) open an address that `isHarmlessAddress` accepts. */
const HARMLESS = new Set([
  'GoTo',
  'GoToDp',
  'GoTo3DView',
  'Hide',
  'NOP',
  'Named',
  'ResetForm',
  'SetOCGState',
  'SetState',
  'Sound',
  'Thread',
  'Trans',
  'URI',
]);
/** Actions that send values away, load other files or play media. `keepActions` keeps them. */
const REACHING_OUT = new Set(['GoToE', 'GoToR', 'ImportData', 'Movie', 'Rendition', 'SubmitForm']);
/** Of the actions that never stay or reach out, those that are not plausible names of structure types as well. */
const FORBIDDEN_ANYWHERE = new Set([
  'GoToE',
  'GoToR',
  'ImportData',
  'JavaScript',
  'Launch',
  'Rendition',
  'RichMediaExecute',
  'SubmitForm',
]);

/** Whether a dictionary in the position of an action must be removed. One without /S is not an action (an outline item, attributes). */
export function isForbiddenAction(source: SourceDocument, dict: PdfDict, keepActions: boolean): boolean {
  if (!dict.has('S')) return false;
  const kind = nameOf(source.resolve(dict.get('S'))) ?? '';
  if (kind === 'URI') return !staysAsAddress(source, dict.get('URI'), keepActions);
  if (keepActions && REACHING_OUT.has(kind)) return false;
  if (kind === 'Thread' && dict.has('F')) return !keepActions;
  return !HARMLESS.has(kind);
}

/** The same for a dictionary in any other position, where /S may be the type of a structure element. */
export function isForbiddenAnywhere(source: SourceDocument, dict: PdfDict, keepActions: boolean): boolean {
  const kind = dict.has('S') ? nameOf(source.resolve(dict.get('S'))) : null;
  if (kind === null || nameOf(source.resolve(dict.get('Type'))) === 'StructElem') return false;
  if (!FORBIDDEN_ANYWHERE.has(kind) && !(kind === 'URI' && dict.has('URI'))) return false;
  return isForbiddenAction(source, dict, keepActions);
}

/** Whether the address of a URI action, or the base of all addresses, may be kept. */
export function staysAsAddress(
  source: SourceDocument,
  value: Parameters<SourceDocument['resolve']>[0],
  keepActions: boolean,
): boolean {
  const address = source.resolve(value);
  if (!(address instanceof PdfString)) return false;
  const text = decodeTextString(address);
  return isHarmlessAddress(text) || (keepActions && !SCRIPTS.has(schemeOf(text) ?? ''));
}

const HARMLESS_SCHEMES = new Set(['ftp', 'ftps', 'geo', 'http', 'https', 'mailto', 'sms', 'tel']);
const SCRIPTS = new Set(['javascript', 'vbscript', 'data']);

/** Addresses without a scheme are kept (`www.example.com`), unless Windows would interpret them as a file on another machine. */
export function isHarmlessAddress(address: string): boolean {
  const scheme = schemeOf(address);
  return scheme === null ? !/^[/\\]{2}/.test(visible(address)) : HARMLESS_SCHEMES.has(scheme);
}

/** The text before the first colon, if no slash, question mark or hash precedes it. */
function schemeOf(address: string): string | null {
  return /^([^/\\?#:]*):/.exec(visible(address))?.[1]?.toLowerCase() ?? null;
}

/** Browsers skip white space and control characters in front of an address and line ends within it (WHATWG URL §4.4). */
function visible(address: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to skip
  return address.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g, '');
}
