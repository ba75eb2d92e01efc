import { PdfBuilder } from './pdf-builder.ts';

/** Encodes any text as a PDF string. */
const str = (text: string) => `<${Buffer.from(text, 'latin1').toString('hex')}>`;
const utf16 = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const uri = (text: string) => `/S/URI/URI${str(text)}`;

/** Actions that a filled document must not contain, as dictionary entries. Each contains a mark that identifies it. */
export const HOSTILE_ACTIONS: Readonly<Record<string, (mark: string) => string>> = {
  JavaScript: (mark) => `/S/JavaScript/JS${str(mark)}`,
  EscapedName: (mark) => `/S/J#61va#53cript/JS${str(mark)}`,
  Disguised: (mark) => `/Type/StructElem/S/JavaScript/JS${str(mark)}`,
  Launch: (mark) => `/S/Launch/F${str(mark)}`,
  RichMediaExecute: (mark) => `/S/RichMediaExecute/CMD<</C${str(mark)}>>`,
  Unknown: (mark) => `/S/Whatever/F${str(mark)}`,
  NoName: (mark) => `/S(JavaScript)/JS${str(mark)}`,
  ScriptAddress: (mark) => uri(`javascript:${mark}`),
  ScriptInUpperCase: (mark) => uri(` JavaScript:${mark}`),
  ScriptInPieces: (mark) => uri(`\u0001java\n\tscript:${mark}`),
  ScriptInUtf16: (mark) => `/S/URI/URI${utf16(`javascript:${mark}`)}`,
  ScriptInUtf8: (mark) => `/S/URI/URI${str(`\u00ef\u00bb\u00bfjavascript:${mark}`)}`,
  DataAddress: (mark) => uri(`data:text/html,${mark}`),
  SubmitForm: (mark) => `/S/SubmitForm/F<</FS/URL/F${str(`https://example.com/${mark}`)}>>`,
  ImportData: (mark) => `/S/ImportData/F${str(`${mark}.fdf`)}`,
  GoToR: (mark) => `/S/GoToR/F${str(`\\\\host\\${mark}.pdf`)}/D[0/Fit]`,
  GoToE: (mark) => `/S/GoToE/F${str(mark)}/D[0/Fit]/T<</R/C/N${str(mark)}>>`,
  RemoteThread: (mark) => `/S/Thread/F${str(mark)}/D 0`,
  Movie: (mark) => `/S/Movie/T${str(mark)}`,
  Rendition: (mark) => `/S/Rendition/OP 0/R<</Type/Rendition/S/MR/N${str(mark)}>>`,
  FileAddress: (mark) => uri(`file:///etc/${mark}`),
  SharedFolder: (mark) => uri(`\\\\host\\share\\${mark}`),
  SlashedFolder: (mark) => uri(`//host/share/${mark}`),
  OtherProgram: (mark) => uri(`ms-msdt:/id ${mark}`),
};

/** The subset that ROWPRESS_KEEP_PDF_ACTIONS keeps. */
export const KEPT_ACTIONS = [
  'SubmitForm',
  'ImportData',
  'GoToR',
  'GoToE',
  'RemoteThread',
  'Movie',
  'Rendition',
  'FileAddress',
  'SharedFolder',
  'SlashedFolder',
  'OtherProgram',
];

const HARMLESS_ADDRESSES = [
  'http://example.com/',
  'https://example.com/a:b?c#',
  'HTTPS://example.com/',
  'mailto:a@example.com?subject=',
  'tel:+4930123456',
  'www.example.com/',
  'chapter.html#',
];

/** Marks that must remain: links on pages, and entries that only an unmerged file has. */
export const HARMLESS_MARKS = {
  links: [...HARMLESS_ADDRESSES.map((_, index) => `FINE-address-${index}`), 'FINE-goto', 'FINE-reset'],
  document: ['FINE-outline', 'FINE-attachment'],
};

/**
 * A two-page form with every hostile action at every place where a document can have one (ISO 32000-2 §12.6), and
 * harmless links between them. Marks are `EVIL-place-action` and `FINE-…`.
 */
export function hostilePdf(): Uint8Array {
  const pdf = new PdfBuilder();
  const [root, tree, first, second] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()];
  const evil = (place: string) =>
    Object.entries(HOSTILE_ACTIONS).map(([name, write]) => `<<${write(`EVIL-${place}-${name}`)}>>`);
  const one = (place: string) => evil(place)[0] ?? '';
  const indirect = (body: string) => `${pdf.add(body)} 0 R`;
  const annotation = (subtype: string, entries: string) =>
    indirect(`<</Type/Annot/Subtype/${subtype}/Rect[72 600 200 620]/P ${first} 0 R${entries}>>`);
  const link = (entries: string) => annotation('Link', entries);
  const fine = uri('https://example.com/');

  const links = [
    ...evil('link').map((action) => link(`/A${action}`)),
    ...evil('reference').map((action) => link(`/A ${indirect(action)}`)),
    ...evil('previous').map((action) => link(`/PA${action}`)),
    ...evil('next').map((action) => link(`/A<<${fine}/Next${action}>>`)),
    ...evil('nextReference').map((action) => link(`/A<<${fine}/Next ${indirect(action)}>>`)),
    link(`/A<<${fine}/Next[${evil('nextArray').join('')}<<${fine}>>]>>`),
    link(`/A<<${fine}/Next ${indirect(`[${evil('nextArrayReference').map(indirect).join(' ')}]`)}>>`),
    link(`/A<<${fine}/Next<<${fine}/Next[${evil('later').join('')}]>>>>`),
    ...evil('trigger').map((action) => annotation('Screen', `/AA<</PV${action}>>`)),
    ...HARMLESS_ADDRESSES.map((address, index) => link(`/A<<${uri(`${address}FINE-address-${index}`)}>>`)),
    link(`/A<</S/GoTo/D${str('FINE-goto')}>>`),
    link(`/A<</S/ResetForm/Fields[${str('FINE-reset')}]>>`),
  ];
  const media = [
    annotation('RichMedia', `/RichMediaContent<</X${str('EVIL-media-content')}>>`),
    annotation('RichMedia', `/RichMediaSettings<</Activation<</Scripts[${str('EVIL-media-settings')}]>>>>`),
    annotation('Movie', `/Movie<</F${str('EVIL-media-movie')}>>/A<</ShowControls true>>`),
    annotation(
      '3D',
      `/3DD ${pdf.add(`<</Type/3D/Subtype/U3D/OnInstantiate ${pdf.add('<<>>', 'EVIL-media-instantiated')} 0 R>>`, 'U3D')} 0 R`,
    ),
  ];
  const widget = (entries: string) =>
    indirect(`<</Type/Annot/Subtype/Widget/Rect[72 500 200 520]/F 4/P ${first} 0 R${entries}>>`);
  const fields = [
    ...evil('button').map((action, index) => widget(`/FT/Btn/Ff 65536/T(button${index})/A${action}`)),
    ...evil('keystroke').map((action, index) => widget(`/FT/Tx/T(text${index})/AA<</K${action}>>`)),
  ];
  const parent = pdf.reserve();
  const kid = widget(`/Parent ${parent} 0 R`);
  pdf.set(parent, `<</FT/Tx/T(parent)/AA<</C${one('parent')}>>/Kids[${kid}]>>`);
  const form = pdf.add(
    `<</Fields[${[...fields, `${parent} 0 R`].join(' ')}]/DA(/Helv 0 Tf)/CO[${parent} 0 R]/XFA ${pdf.add('<<>>', '<script>EVIL-xfa-script</script>')} 0 R>>`,
  );

  const outlines = pdf.reserve();
  const items = [
    ...evil('outline').map((action) => `/A${action}`),
    `/A<<${uri('https://example.com/FINE-outline')}>>`,
  ];
  const numbers = items.map(() => pdf.reserve());
  items.forEach((entries, index) => {
    const next = numbers[index + 1];
    const place = `/Parent ${outlines} 0 R${next === undefined ? '' : `/Next ${next} 0 R`}`;
    pdf.set(numbers[index] ?? 0, `<</Title(item)${place}${entries}>>`);
  });
  pdf.set(
    outlines,
    `<</Type/Outlines/First ${numbers[0]} 0 R/Last ${numbers.at(-1)} 0 R/Count ${items.length}>>`,
  );

  const attachment = pdf.add('<</Type/EmbeddedFile>>', 'FINE-attachment');
  const names =
    `/JavaScript<</Names[(a)${one('names')}(b)${indirect(one('namesReference'))}]>>` +
    `/AlternatePresentations<</Names[(a)<</Type/SlideShow/StartResource${str('EVIL-names-show')}>>]>>` +
    `/EmbeddedFiles<</Names[(a)<</Type/Filespec/F(a.txt)/EF<</F ${attachment} 0 R>>>>]>>` +
    `/Dests<</Names[${str('FINE-goto')}[${second} 0 R/Fit]]>>`;
  const catalog =
    `/OpenAction${one('open')}/AA<</WC${one('catalog')}>>/Names<<${names}>>/Outlines ${outlines} 0 R` +
    `/URI<</Base${str('file:///EVIL-base-address/')}>>/Collection<</View/T/D${str('EVIL-collection-first')}>>`;
  const shown = pdf.add(
    `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Ref<</F${str('\\\\host\\EVIL-xobject-reference')}/Page 0>>>>`,
    '',
  );
  const steps = evil('step').map((action) => `<</Type/NavNode/NA${action}/PA<<${fine}>>>>`);
  const presentation = steps.reduceRight((next, step) => step.replace(/>>$/, `/Next ${indirect(next)}>>`));
  pdf.set(
    first,
    `<</Type/Page/Parent ${tree} 0 R/Annots[${[...links, ...media, ...fields, kid].join(' ')}]/AA<</O${one('page')}>>` +
      `/Resources<</XObject<</AA ${shown} 0 R/A ${shown} 0 R>>>>/PresSteps ${indirect(presentation)}>>`,
  );
  pdf.set(second, `<</Type/Page/Parent ${tree} 0 R>>`);
  pdf.set(tree, `<</Type/Pages/Count 2/MediaBox[0 0 612 792]/Kids[${first} 0 R ${second} 0 R]>>`);
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R/AcroForm ${form} 0 R${catalog}>>`);
  return pdf.build(root);
}

/** Returns the distinct marks in a file with uncompressed streams, in plain or hexadecimal strings of any encoding. */
export function marksIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1');
  const strings = [...text.matchAll(/<([0-9a-fA-F]+)>/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1').replaceAll('\0', ''),
  );
  return [
    ...new Set([text, ...strings].flatMap((part) => part.match(/(EVIL|FINE)-\w+(-\w+)?/g) ?? [])),
  ].sort();
}
