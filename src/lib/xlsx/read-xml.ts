import { SaxesParser } from 'saxes';
import { WorkbookUnreadable } from './workbook-unreadable.ts';

/** Receives the content of a part of a workbook. Names have no namespace prefix, because each program chooses its own. */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** The parser holds its input until it is parsed, so the input is passed in small pieces. */
const PIECE_BYTES = 1 << 16;

/**
 * Parses a part of a workbook piece by piece. Entities of a document type are not expanded, so a small part cannot become a large text. A
 * part that is not well-formed is rejected.
 */
export function readXml(bytes: Uint8Array, { open, close, text }: XmlReader): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (error) => {
    throw new WorkbookUnreadable(error.message);
  });
  if (open !== undefined)
    parser.on('opentag', ({ name, attributes }) =>
      open(localName(name), attributes as Record<string, string>),
    );
  if (close !== undefined) parser.on('closetag', ({ name }) => close(localName(name)));
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
  const decode = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new WorkbookUnreadable(`a part is not ${decoder.encoding.toUpperCase()}`);
    }
  };
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    parser.write(decode(bytes.subarray(at, at + PIECE_BYTES)));
  parser.write(decode()).close();
}

/** The two encodings that every XML parser must support (XML 1.0, section 4.3.3), and the only ones that spreadsheets write. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
