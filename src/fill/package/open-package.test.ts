import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { portableCodec } from '../portable-codec.ts';
import { type LayoutInput, layoutSchema, type SourceMetadata } from './layout-schema.ts';
import { openPackage } from './open-package.ts';
import { readContainer } from './read-container.ts';
import { makeSeal, SEAL_ENTRY } from './seal.ts';
import { sealPackage } from './seal-package.ts';
import { publicKeyOf } from './signed-statement.ts';
import { writeContainer } from './write-container.ts';

const codec = portableCodec;
const secretKey = new Uint8Array(32).fill(7);
const trustedKeys = [publicKeyOf(secretKey)];
const options = { codec, trustedKeys };

const source: SourceMetadata = {
  sha256: 'ab'.repeat(32),
  page_count: 1,
  pages: [{ box: [0, 0, 595, 842], rotation: 0, user_unit: 1 }],
  form_fields: [],
  signed: false,
  xfa: false,
};
const layout: LayoutInput = {
  format: 'rowpress.layout',
  version: 1,
  overlays: [
    { id: 'a', type: 'text', page: 1, x: 1, y: 2, width: 3, height: 4, value: { column: 'column_0' } },
  ],
};

function sealed(
  input: LayoutInput = layout,
  assets = new Map<string, Uint8Array>(),
  key = secretKey,
): Uint8Array {
  const result = sealPackage({ layout: layoutSchema.parse(input), source, assets, secretKey: key, codec });
  if (!result.ok) throw new Error(result.message);
  return result.bytes;
}

function entriesOf(bytes: Uint8Array): Map<string, Uint8Array> {
  const container = readContainer(bytes, codec);
  if (!container.ok) throw new Error(container.message);
  return new Map(container.entries);
}

/** A forgery without the key: new contents, fresh checksums, the old seal. */
function edited(bytes: Uint8Array, change: (entries: Map<string, Uint8Array>) => void): Uint8Array {
  const entries = entriesOf(bytes);
  change(entries);
  return writeContainer(entries, codec);
}

/** Any content sealed with the trusted key, like the output of a future or faulty version of the product. */
function sealedRaw(entries: Map<string, Uint8Array>): Uint8Array {
  entries.set(SEAL_ENTRY, makeSeal(entries, secretKey, codec));
  return writeContainer(entries, codec);
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const codeOf = (bytes: Uint8Array) => {
  const result = openPackage(bytes, options);
  return result.ok ? 'opened' : result.code;
};

describe('a sealed package', () => {
  it('[PKG1] a valid package: opens with its layout, source metadata and assets', () => {
    const assets = new Map([['assets/logo.png', Uint8Array.of(1, 2, 3)]]);
    const result = openPackage(sealed(layout, assets), options);
    expect(result).toMatchObject({
      ok: true,
      package: {
        layout: { source, overlays: [{ id: 'a', font: 'sans', opacity: 1 }] },
        sealedBy: trustedKeys[0],
      },
    });
    expect(result.ok && [...result.package.assets]).toEqual([...assets]);
  });

  it('[PKG2] the same layout, source and key: the same bytes', () => {
    expect(sealed()).toEqual(sealed());
  });

  it('[PKG3] any single bit flipped: rejected', { timeout: 120_000 }, () => {
    const bytes = sealed(
      { format: 'rowpress.layout', version: 1 },
      new Map([['assets/a', Uint8Array.of(65)]]),
    );
    const survivors: number[] = [];
    const codes = new Set<string>();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const copy = bytes.slice();
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const code = codeOf(copy);
      codes.add(code);
      if (code === 'opened') survivors.push(bit);
    }
    expect(survivors).toEqual([]);
    expect([...codes].sort()).toEqual(expect.arrayContaining(['PACKAGE_MALFORMED', 'PACKAGE_TAMPERED']));
  });

  it('[PKG3] truncated at any length, or with bytes appended: rejected', () => {
    const bytes = sealed();
    for (let length = 0; length < bytes.length; length += 1) {
      expect(codeOf(bytes.subarray(0, length))).toBe('PACKAGE_MALFORMED');
    }
    expect(codeOf(Uint8Array.of(...bytes, 0))).toBe('PACKAGE_MALFORMED');
  });
});

describe('[PKG4] error codes', () => {
  it('junk, an empty file, a ZIP without a layout: PACKAGE_MALFORMED', () => {
    expect(codeOf(new Uint8Array(0))).toBe('PACKAGE_MALFORMED');
    expect(codeOf(utf8('%PDF-1.7 this is no package, not even nearly'))).toBe('PACKAGE_MALFORMED');
    expect(codeOf(writeContainer(new Map([['readme.txt', utf8('x')]]), codec))).toBe('PACKAGE_MALFORMED');
  });

  it('an edited layout, an added, removed or swapped entry, a missing seal: PACKAGE_TAMPERED', () => {
    const bytes = sealed(
      layout,
      new Map([
        ['assets/a.png', utf8('a')],
        ['assets/b.png', utf8('b')],
      ]),
    );
    const other = utf8(JSON.stringify({ ...layout, name: 'other' }));
    expect(codeOf(edited(bytes, (entries) => entries.set('layout.json', other)))).toBe('PACKAGE_TAMPERED');
    expect(codeOf(edited(bytes, (entries) => entries.set('assets/c.png', other)))).toBe('PACKAGE_TAMPERED');
    expect(codeOf(edited(bytes, (entries) => entries.set('notes.txt', other)))).toBe('PACKAGE_TAMPERED');
    expect(codeOf(edited(bytes, (entries) => entries.delete('assets/a.png')))).toBe('PACKAGE_TAMPERED');
    expect(codeOf(edited(bytes, (entries) => entries.delete(SEAL_ENTRY)))).toBe('PACKAGE_TAMPERED');
    expect(
      codeOf(
        edited(bytes, (entries) => {
          entries.set('assets/a.png', utf8('b')).set('assets/b.png', utf8('a'));
        }),
      ),
    ).toBe('PACKAGE_TAMPERED');
  });

  it('[PKG5] a seal of more than 200 kB: rejected without being parsed', () => {
    const large = edited(sealed(), (entries) => {
      const seal = new TextDecoder().decode(entries.get(SEAL_ENTRY));
      entries.set(SEAL_ENTRY, new TextEncoder().encode(seal + ' '.repeat(200_000)));
    });
    expect(openPackage(large, options)).toMatchObject({
      ok: false,
      message: 'The seal is larger than 200000 bytes.',
    });
  });

  it('unpacked and packed again, compressed, changed or not: PACKAGE_TAMPERED', () => {
    const files = Object.fromEntries(entriesOf(sealed()));
    expect(codeOf(zipSync(files))).toBe('PACKAGE_TAMPERED');
    expect(codeOf(zipSync({ ...files, 'layout.json': utf8('{}') }))).toBe('PACKAGE_TAMPERED');
    expect(codeOf(zipSync({ ...files, 'assets/': new Uint8Array(0) }))).toBe('PACKAGE_TAMPERED');
  });

  it('a seal that is written differently or contains another key: PACKAGE_TAMPERED', () => {
    const reseal = (change: (text: string) => string) =>
      edited(sealed(), (entries) => {
        const text = new TextDecoder().decode(entries.get(SEAL_ENTRY));
        entries.set(SEAL_ENTRY, utf8(change(text)));
      });
    expect(codeOf(reseal((text) => `${text} `))).toBe('PACKAGE_TAMPERED');
    expect(codeOf(reseal((text) => text.replace(/"public_key":"../, '"public_key":"00')))).toBe(
      'PACKAGE_TAMPERED',
    );
    expect(codeOf(reseal(() => '{}'))).toBe('PACKAGE_MALFORMED');
  });

  it('an untrusted key: PACKAGE_UNSUPPORTED until the operator trusts it', () => {
    const foreign = new Uint8Array(32).fill(9);
    const bytes = sealed(layout, new Map(), foreign);
    expect(codeOf(bytes)).toBe('PACKAGE_UNSUPPORTED');
    expect(openPackage(bytes, { codec, trustedKeys: [...trustedKeys, publicKeyOf(foreign)] }).ok).toBe(true);
  });

  it('a later version of the layout or the seal: PACKAGE_UNSUPPORTED', () => {
    const next = utf8(JSON.stringify({ ...layout, version: 2 }));
    expect(codeOf(sealedRaw(new Map([['layout.json', next]])))).toBe('PACKAGE_UNSUPPORTED');
    const laterSeal = edited(sealed(), (entries) => {
      const text = new TextDecoder().decode(entries.get(SEAL_ENTRY));
      entries.set(SEAL_ENTRY, utf8(text.replace('"version":1', '"version":2')));
    });
    expect(codeOf(laterSeal)).toBe('PACKAGE_UNSUPPORTED');
  });

  it('a trusted seal with an invalid layout or a missing font file: PACKAGE_INVALID', () => {
    const misspelt = utf8(JSON.stringify({ ...layout, colums: [] }));
    expect(codeOf(sealedRaw(new Map([['layout.json', misspelt]])))).toBe('PACKAGE_INVALID');
    expect(codeOf(sealedRaw(new Map([['layout.json', utf8('not JSON')]])))).toBe('PACKAGE_INVALID');
    const fonts = utf8(JSON.stringify({ ...layout, fonts: [{ name: 'own', regular: 'assets/own.ttf' }] }));
    expect(codeOf(sealedRaw(new Map([['layout.json', fonts]])))).toBe('PACKAGE_INVALID');
  });

  it('a package above the size limit: PACKAGE_TOO_LARGE', () => {
    const bytes = sealed();
    expect(openPackage(bytes, { ...options, maxBytes: bytes.length }).ok).toBe(true);
    expect(openPackage(bytes, { ...options, maxBytes: bytes.length - 1 })).toMatchObject({
      code: 'PACKAGE_TOO_LARGE',
    });
  });
});

describe('[PKG5] a hostile ZIP', () => {
  const layoutFile = { 'layout.json': utf8(JSON.stringify(layout)) };

  it('too large declared sizes: rejected without unpacking', () => {
    expect(codeOf(zipSync({ ...layoutFile, 'assets/bomb': new Uint8Array(30_000_000) }))).toBe(
      'PACKAGE_MALFORMED',
    );
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`assets/${i}`, new Uint8Array(0)]),
    );
    expect(codeOf(zipSync({ ...layoutFile, ...many }))).toBe('PACKAGE_MALFORMED');
  });

  it('an entry that inflates to more than it declares: rejected', () => {
    const bytes = zipSync({ bomb: new Uint8Array(3_000_000) });
    const view = new DataView(bytes.buffer);
    const directory = view.getUint32(bytes.length - 6, true);
    view.setUint32(directory + 24, 2000, true);
    expect(codeOf(bytes)).toBe('PACKAGE_MALFORMED');
  });

  it('names that are absolute, parent, nested, empty or not ASCII: rejected', () => {
    for (const name of [
      '../layout.json',
      '/etc/passwd',
      'a/b/c',
      'assets/../x',
      'a\\b',
      '.hidden',
      'ä.png',
      'a\0b',
    ]) {
      expect(codeOf(zipSync({ ...layoutFile, [name]: utf8('x') }))).toBe('PACKAGE_MALFORMED');
    }
  });

  it('two entries with one name: rejected', () => {
    const bytes = zipSync({ 'layout.json': utf8('{}'), 'layout.jsox': utf8('{}') }, { level: 0 });
    const text = new TextDecoder('latin1').decode(bytes).replaceAll('layout.jsox', 'layout.json');
    expect(codeOf(Uint8Array.from(text, (char) => char.charCodeAt(0)))).toBe('PACKAGE_MALFORMED');
  });
});
