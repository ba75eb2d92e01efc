import { describe, expect, it } from 'vitest';
import { encodingEvidence } from './encoding-evidence.ts';

const blob = (text: string, encoding: BufferEncoding) => new Blob([Buffer.from(text, encoding)]);
const shown = (sample: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(sample);

describe('the encoding of a file that is not UTF-8', () => {
  it('a valid UTF-8 file: has nothing to choose', async () => {
    expect(await encodingEvidence(blob('Name\nGöteborg\n', 'utf8'))).toBeNull();
    expect(await encodingEvidence(blob('', 'utf8'))).toBeNull();
  });

  it('a Windows-1252 file: suggests it and samples the lines that tell', async () => {
    const plain = 'Ada,London\n'.repeat(40_000);
    const found = await encodingEvidence(
      blob(`Name,Town\n${plain}Kurt,Göteborg\n${plain}Åsa,Málaga`, 'latin1'),
    );
    expect(found?.likely).toBe('windows-1252');
    expect(shown(found?.sample ?? new Uint8Array(), 'windows-1252')).toContain('Kurt,Göteborg');
    expect(shown(found?.sample ?? new Uint8Array(), 'windows-1252')).not.toContain('London');
  });

  it('UTF-16 without a byte order mark: suggests it', async () => {
    const found = await encodingEvidence(blob('Name,Town\nKurt,Göteborg\n', 'utf16le'));
    expect(found?.likely).toBe('utf-16le');
    expect(shown(found?.sample ?? new Uint8Array(), 'utf-16le')).toContain('Göteborg');
  });
});
