import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { PdfBuilder } from './pdf-builder.ts';
import { pngChunk, smallPng } from './small-png.ts';
import { workbook } from './workbook.ts';

/** A document that attacks its reader: the attack, and the field of a create request that carries it. */
export interface HostileDocument {
  readonly name: string;
  readonly field: 'pdf' | 'rows_file' | 'assets_file' | 'doqlo_file';
  /** Builds the document; some take a second and half a gigabyte. */
  readonly build: () => Uint8Array;
}

const MIB = 1024 ** 2;
/** Compresses to a thousandth of the size. Built in slices, so that the test itself does not need that much memory. */
const bomb = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * MIB, ' '), { level: 6 });

/** A one-page PDF whose parts can be replaced; `more` adds objects and returns catalog entries. */
function pdf(
  page: string,
  options: {
    readonly pages?: (page: number, pages: number) => string;
    readonly content?: [dict: string, bytes: Uint8Array];
    readonly more?: (builder: PdfBuilder, page: number) => string;
  } = {},
): Uint8Array {
  const builder = new PdfBuilder();
  const [root, pages, first, contents] = [1, 2, 3, 4].map(() => builder.reserve()) as [
    number,
    number,
    number,
    number,
  ];
  const [dict, bytes] = options.content ?? ['<<>>', Buffer.from('q Q')];
  builder.set(contents, dict, bytes);
  builder.set(
    first,
    `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 612 792]/Contents ${contents} 0 R/Resources<<>>${page}>>`,
  );
  const kids = options.pages?.(first, pages) ?? `/Kids[${first} 0 R]/Count 1`;
  builder.set(pages, `<</Type/Pages${kids}>>`);
  const more = options.more?.(builder, first) ?? '';
  builder.set(root, `<</Type/Catalog/Pages ${pages} 0 R${more}>>`);
  return builder.build(root);
}

const raw = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`, 'latin1');
const whole = (text: string) =>
  Buffer.from(Buffer.from(pdf('')).toString('latin1').replace('%%EOF', text), 'latin1');

function pdfs(): [string, () => Uint8Array][] {
  const deep = 100_000;
  return [
    [
      'page tree that contains itself',
      () => pdf('', { pages: (_, own) => `/Kids[${own} 0 R ${own} 0 R]/Count 2` }),
    ],
    [
      'page count of two thousand million',
      () => pdf('', { pages: (page) => `/Kids[${page} 0 R]/Count 2147483647` }),
    ],
    [
      'one page listed 500,000 times',
      () => pdf('', { pages: (page) => `/Kids[${`${page} 0 R `.repeat(500_000)}]/Count 500000` }),
    ],
    ['content of 512 MB', () => pdf('', { content: ['<</Filter/FlateDecode>>', bomb(512)] })],
    [
      'content packed fifty times',
      () => pdf('', { content: [`<</Filter[${'/FlateDecode'.repeat(50)}]>>`, bomb(64)] }),
    ],
    [
      'object stream of 512 MB',
      () =>
        pdf('', {
          more: (b) => `/X ${b.add('<</Type/ObjStm/N 9/First 40/Filter/FlateDecode>>', bomb(512))} 0 R`,
        }),
    ],
    [
      '300,000 objects',
      () =>
        pdf('', {
          more: (b) => {
            for (let i = 0; i < 300_000; i += 1) b.add('[1 2 3]');
            return '';
          },
        }),
    ],
    [
      'arrays nested 100,000 deep',
      () => pdf('', { more: (b) => `/X ${b.add('['.repeat(deep) + ']'.repeat(deep))} 0 R` }),
    ],
    [
      'dictionaries nested 100,000 deep',
      () => pdf('', { more: (b) => `/X ${b.add(`${'<</A'.repeat(deep)} 1${'>>'.repeat(deep)}`)} 0 R` }),
    ],
    [
      'outlines that lead in a circle',
      () =>
        pdf('', {
          more: (b) => {
            const at = b.reserve();
            b.set(at, `<</Title(x)/First ${at} 0 R/Last ${at} 0 R/Next ${at} 0 R>>`);
            return `/Outlines ${at} 0 R`;
          },
        }),
    ],
    [
      'names that lead in a circle',
      () =>
        pdf('', {
          more: (b) => {
            const at = b.reserve();
            b.set(at, `<</Kids[${at} 0 R]>>`);
            return `/Names<</Dests ${at} 0 R/EmbeddedFiles ${at} 0 R>>`;
          },
        }),
    ],
    [
      'form fields that contain themselves',
      () =>
        pdf('', {
          more: (b) => {
            const at = b.reserve();
            b.set(at, `<</T(x)/Kids[${at} 0 R ${at} 0 R]/Parent ${at} 0 R>>`);
            return `/AcroForm<</Fields[${at} 0 R]>>`;
          },
        }),
    ],
    [
      'structure that contains itself',
      () =>
        pdf('', {
          more: (b) => {
            const at = b.reserve();
            b.set(at, `<</Type/StructTreeRoot/K ${at} 0 R/ParentTree ${at} 0 R>>`);
            return `/MarkInfo<</Marked true>>/StructTreeRoot ${at} 0 R`;
          },
        }),
    ],
    [
      'actions that follow each other in a circle',
      () =>
        pdf('', {
          more: (b) => {
            const at = b.reserve();
            b.set(at, `<</S/GoTo/D[0/Fit]/Next ${at} 0 R>>`);
            return `/OpenAction ${at} 0 R`;
          },
        }),
    ],
    [
      '100,000 form fields',
      () =>
        pdf('', {
          more: (b, page) =>
            `/AcroForm<</Fields[${Array.from({ length: 100_000 }, (_, i) => `${b.add(`<</T(f${i})/FT/Tx/Subtype/Widget/Rect[0 0 9 9]/P ${page} 0 R>>`)} 0 R`).join(' ')}]>>`,
        }),
    ],
    [
      'picture of 60,000 by 60,000 pixels',
      () =>
        pdf('', {
          more: (b) =>
            `/X ${b.add('<</Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode>>', bomb(64))} 0 R`,
        }),
    ],
    ['media box beyond all numbers', () => pdf('/MediaBox[-1e308 -1e308 1e308 1e308]/UserUnit 1e308')],
    ['rotation of a huge angle', () => pdf('/Rotate 99999999999999999999')],
    ['cross-reference table that leads to itself', () => whole('trailer<</Prev 0/Size 9>>startxref 0 %%EOF')],
    [
      'trailer with a size of 2^40',
      () =>
        raw(
          '1 0 obj<</Type/Catalog>>endobj\nxref\n0 1\n0000000000 65535 f \ntrailer<</Size 1099511627776/Root 1 0 R>>\nstartxref\n9',
        ),
    ],
    [
      'stream with a length of 2^60',
      () => raw('1 0 obj<</Length 1152921504606846976>>stream\nx\nendstream endobj\nstartxref\n9'),
    ],
    ['string that never ends', () => raw(`1 0 obj(${'('.repeat(200_000)}`)],
    [
      'encryption with nonsense',
      () =>
        whole(
          'trailer<</Encrypt<</Filter/Standard/V 5/R 6/Length 99999999/P -1/O()/U()>>/Size 9/Root 1 0 R>>startxref 9 %%EOF',
        ),
    ],
    ['50 MB of object headers', () => raw('1 0 obj '.repeat(6_000_000))],
  ];
}

const packageOf = (parts: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );
const SHEET = (rows: string) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;

/** A workbook whose sheet is replaced with other XML. */
function withSheet(sheet: string | Uint8Array, more: Record<string, string> = {}): Uint8Array {
  const base = 'http://schemas.openxmlformats.org';
  return packageOf({
    '[Content_Types].xml': `<Types xmlns="${base}/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${base}/package/2006/relationships"><Relationship Id="r" Type="${base}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${base}/spreadsheetml/2006/main" xmlns:r="${base}/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="s"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${base}/package/2006/relationships"><Relationship Id="s" Type="${base}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
    ...more,
  });
}

function workbooks(): [string, () => Uint8Array][] {
  const laughs = [
    '<!DOCTYPE x [<!ENTITY a0 "ha">',
    ...Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`),
    ']>',
  ].join('');
  return [
    [
      'entities that grow to 10^30 characters',
      () =>
        withSheet(`${laughs}${SHEET('<row r="1"><c r="A1" t="inlineStr"><is><t>&a30;</t></is></c></row>')}`),
    ],
    ['sheet of 100 MB of blanks', () => withSheet(Buffer.alloc(100 * MIB, ' '))],
    ['sheet nested 500,000 deep', () => withSheet(SHEET('<row>'.repeat(500_000)))],
    [
      'cell far outside any sheet',
      () =>
        withSheet(
          SHEET(
            '<row r="1"><c r="ZZZZZZZ1"><v>1</v></c></row><row r="999999999999"><c r="A999999999999"><v>1</v></c></row>',
          ),
        ),
    ],
    [
      'million cells in one row',
      () => withSheet(SHEET(`<row r="1">${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`)),
    ],
    [
      'shared string far outside the list',
      () => withSheet(SHEET('<row r="1"><c r="A1" t="s"><v>4294967295</v></c></row>')),
    ],
    ['merged range over everything', () => workbook([['a']], { merged: ['A1:XFD1048576'] })],
    [
      'relationship out of the package',
      () =>
        withSheet(SHEET(''), {
          'xl/_rels/workbook.xml.rels':
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="x" Target="../../../../../../etc/passwd"/></Relationships>',
        }),
    ],
    [
      '10,000 entries',
      () => packageOf(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`e${i}`, '']))),
    ],
  ];
}

const header = (width: number, height: number) => {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([8, 2, 0, 0, 0], 8);
  return [...bytes];
};

function pictures(): [string, () => Uint8Array][] {
  const bombed = () =>
    Uint8Array.from([
      ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      ...pngChunk('IHDR', header(30_000, 30_000)),
      ...pngChunk('IDAT', bomb(256)),
      ...pngChunk('IEND', []),
    ]);
  return [
    ['picture that unpacks to 2.7 GB', () => packageOf({ 'a.png': bombed() })],
    [
      'picture that claims 2^31 by 2^31 pixels',
      () => packageOf({ 'a.png': smallPng(header(2 ** 31 - 1, 2 ** 31 - 1), [0, 1, 2, 3]) }),
    ],
    [
      'JPEG that ends after its first marker',
      () => packageOf({ 'a.jpg': Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0xff, 0xff]) }),
    ],
    [
      'name that leads out of a folder',
      () => packageOf({ '../../../../tmp/evil.png': smallPng(header(1, 1), [0, 1, 2, 3]) }),
    ],
    ['archive in an archive', () => packageOf({ 'a.png': packageOf({ 'b.png': new Uint8Array(9) }) })],
  ];
}

/** Every hostile document. */
export const hostileDocuments: readonly HostileDocument[] = [
  ...pdfs().map(([name, build]) => ({ name, field: 'pdf' as const, build })),
  ...workbooks().map(([name, build]) => ({ name, field: 'rows_file' as const, build })),
  ...pictures().map(([name, build]) => ({ name, field: 'assets_file' as const, build })),
  {
    name: 'package of blanks',
    field: 'doqlo_file',
    build: () => packageOf({ 'layout.json': Buffer.alloc(64 * MIB, ' ') }),
  },
];
