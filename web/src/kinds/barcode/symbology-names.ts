import { SYMBOLOGIES, type Symbology } from '#fill/package/symbologies.ts';

/** The families under which symbologies are listed, in the order of the list. */
export const FAMILIES = [
  'Common',
  'Retail and books',
  'GS1',
  '2D codes',
  'Postal',
  'Industry and transport',
  'Health care',
  'Stacked and composite',
  'Others',
] as const;
export type Family = (typeof FAMILIES)[number];

/** The name of a symbology as people know it, its family, and other names that find it. */
type Named = readonly [name: string, family: Family, ...others: string[]];

export const SYMBOLOGY_NAMES: Readonly<Record<Symbology, Named>> = {
  code128: ['Code 128', 'Common', 'C128'],
  ean13: ['EAN-13', 'Common', 'GTIN-13', 'JAN-13', 'European article number'],
  qrcode: ['QR Code', 'Common'],
  datamatrix: ['Data Matrix', 'Common', 'DMC', 'ECC 200'],
  pdf417: ['PDF417', 'Common'],
  code39: ['Code 39', 'Common', '3 of 9', 'USD-3'],
  upca: ['UPC-A', 'Common', 'GTIN-12'],
  itf14: ['ITF-14', 'Common', 'GTIN-14', 'case code'],
  'gs1-128': ['GS1-128', 'Common', 'EAN-128', 'UCC-128'],
  azteccode: ['Aztec Code', 'Common'],

  ean8: ['EAN-8', 'Retail and books', 'GTIN-8', 'JAN-8'],
  ean5: ['EAN-5 add-on', 'Retail and books', 'five-digit add-on'],
  ean2: ['EAN-2 add-on', 'Retail and books', 'two-digit add-on'],
  ean14: ['EAN-14', 'Retail and books', 'GTIN-14', 'GS1-14'],
  upce: ['UPC-E', 'Retail and books'],
  isbn: ['ISBN', 'Retail and books', 'book number', 'Bookland'],
  issn: ['ISSN', 'Retail and books', 'serial number of magazines'],
  ismn: ['ISMN', 'Retail and books', 'sheet music'],
  mands: ['Marks & Spencer', 'Retail and books', 'M&S'],

  sscc18: ['SSCC-18', 'GS1', 'serial shipping container code'],
  gs1datamatrix: ['GS1 Data Matrix', 'GS1'],
  gs1datamatrixrectangular: ['GS1 Data Matrix rectangular', 'GS1', 'DMRE'],
  gs1qrcode: ['GS1 QR Code', 'GS1'],
  gs1dotcode: ['GS1 DotCode', 'GS1'],
  gs1dldatamatrix: ['GS1 Digital Link Data Matrix', 'GS1'],
  gs1dlqrcode: ['GS1 Digital Link QR Code', 'GS1'],
  gs1northamericancoupon: ['GS1 North American coupon', 'GS1'],
  databaromni: ['GS1 DataBar Omnidirectional', 'GS1', 'RSS-14'],
  databartruncated: ['GS1 DataBar Truncated', 'GS1', 'RSS-14 truncated'],
  databarlimited: ['GS1 DataBar Limited', 'GS1', 'RSS limited'],
  databarexpanded: ['GS1 DataBar Expanded', 'GS1', 'RSS expanded'],
  databarstacked: ['GS1 DataBar Stacked', 'GS1', 'RSS-14 stacked'],
  databarstackedomni: ['GS1 DataBar Stacked Omnidirectional', 'GS1', 'RSS-14 stacked omnidirectional'],
  databarexpandedstacked: ['GS1 DataBar Expanded Stacked', 'GS1', 'RSS expanded stacked'],

  datamatrixrectangular: ['Data Matrix rectangular', '2D codes'],
  datamatrixrectangularextension: ['Data Matrix rectangular extension', '2D codes', 'DMRE'],
  microqrcode: ['Micro QR Code', '2D codes'],
  rectangularmicroqrcode: ['Rectangular Micro QR Code', '2D codes', 'rMQR'],
  swissqrcode: ['Swiss QR Code', '2D codes', 'QR-bill', 'Swiss payment slip'],
  azteccodecompact: ['Aztec Code compact', '2D codes'],
  aztecrune: ['Aztec Rune', '2D codes'],
  micropdf417: ['MicroPDF417', '2D codes'],
  pdf417compact: ['Compact PDF417', '2D codes', 'truncated PDF417'],
  maxicode: ['MaxiCode', '2D codes', 'UPS'],
  hanxin: ['Han Xin Code', '2D codes', 'Chinese sensible code'],
  dotcode: ['DotCode', '2D codes'],
  codeone: ['Code One', '2D codes'],
  ultracode: ['Ultracode', '2D codes', 'colour code'],
  d3aqr: ['3-DI AQR', '2D codes'],

  royalmail: ['Royal Mail 4-state', 'Postal', 'RM4SCC', 'customer code'],
  mailmark: ['Royal Mail Mailmark 2D', 'Postal'],
  kix: ['KIX', 'Postal', 'PostNL', 'Dutch post'],
  onecode: ['USPS Intelligent Mail', 'Postal', 'IMb', 'OneCode'],
  postnet: ['USPS POSTNET', 'Postal'],
  planet: ['USPS PLANET', 'Postal'],
  auspost: ['Australia Post', 'Postal', '4-state'],
  japanpost: ['Japan Post', 'Postal', '4-state'],
  identcode: ['Deutsche Post Identcode', 'Postal', 'DHL'],
  leitcode: ['Deutsche Post Leitcode', 'Postal', 'DHL'],
  daft: ['DAFT 4-state', 'Postal', 'raw 4-state'],
  flattermarken: ['Flattermarken', 'Postal', 'collating marks'],

  interleaved2of5: ['Interleaved 2 of 5', 'Industry and transport', 'ITF', 'I25'],
  industrial2of5: ['Industrial 2 of 5', 'Industry and transport', 'standard 2 of 5'],
  iata2of5: ['IATA 2 of 5', 'Industry and transport', 'air freight'],
  matrix2of5: ['Matrix 2 of 5', 'Industry and transport'],
  datalogic2of5: ['Datalogic 2 of 5', 'Industry and transport'],
  coop2of5: ['COOP 2 of 5', 'Industry and transport'],
  code2of5: ['Code 25', 'Industry and transport', 'code 2 of 5'],
  code39ext: ['Code 39 extended', 'Industry and transport', 'full ASCII'],
  code93: ['Code 93', 'Industry and transport', 'USS-93'],
  code93ext: ['Code 93 extended', 'Industry and transport', 'full ASCII'],
  code11: ['Code 11', 'Industry and transport', 'USD-8'],
  rationalizedCodabar: ['Codabar', 'Industry and transport', 'NW-7', 'Monarch', 'rationalized'],
  msi: ['MSI', 'Industry and transport', 'modified Plessey'],
  plessey: ['Plessey', 'Industry and transport'],
  telepen: ['Telepen', 'Industry and transport', 'alphanumeric'],
  telepennumeric: ['Telepen numeric', 'Industry and transport'],
  bc412: ['BC412', 'Industry and transport', 'semiconductor wafer'],
  channelcode: ['Channel Code', 'Industry and transport'],
  posicode: ['PosiCode', 'Industry and transport'],

  pharmacode: ['Pharmacode', 'Health care', 'Laetus'],
  pharmacode2: ['Pharmacode two-track', 'Health care'],
  pzn: ['PZN', 'Health care', 'Pharmazentralnummer'],
  code32: ['Code 32', 'Health care', 'Italian pharmacode'],
  hibccode39: ['HIBC Code 39', 'Health care'],
  hibccode128: ['HIBC Code 128', 'Health care'],
  hibcdatamatrix: ['HIBC Data Matrix', 'Health care'],
  hibcdatamatrixrectangular: ['HIBC Data Matrix rectangular', 'Health care'],
  hibcqrcode: ['HIBC QR Code', 'Health care'],
  hibcpdf417: ['HIBC PDF417', 'Health care'],
  hibcmicropdf417: ['HIBC MicroPDF417', 'Health care'],
  hibccodablockf: ['HIBC Codablock F', 'Health care'],
  hibcazteccode: ['HIBC Aztec Code', 'Health care'],

  codablockf: ['Codablock F', 'Stacked and composite'],
  code16k: ['Code 16K', 'Stacked and composite'],
  code49: ['Code 49', 'Stacked and composite'],
  ean13composite: ['EAN-13 composite', 'Stacked and composite'],
  ean8composite: ['EAN-8 composite', 'Stacked and composite'],
  upcacomposite: ['UPC-A composite', 'Stacked and composite'],
  upcecomposite: ['UPC-E composite', 'Stacked and composite'],
  'gs1-128composite': ['GS1-128 composite', 'Stacked and composite'],
  'gs1-cc': ['GS1 composite component', 'Stacked and composite', 'CC-A', 'CC-B', 'CC-C'],
  databaromnicomposite: ['GS1 DataBar Omnidirectional composite', 'Stacked and composite'],
  databartruncatedcomposite: ['GS1 DataBar Truncated composite', 'Stacked and composite'],
  databarlimitedcomposite: ['GS1 DataBar Limited composite', 'Stacked and composite'],
  databarexpandedcomposite: ['GS1 DataBar Expanded composite', 'Stacked and composite'],
  databarstackedcomposite: ['GS1 DataBar Stacked composite', 'Stacked and composite'],
  databarstackedomnicomposite: ['GS1 DataBar Stacked Omnidirectional composite', 'Stacked and composite'],
  databarexpandedstackedcomposite: ['GS1 DataBar Expanded Stacked composite', 'Stacked and composite'],

  raw: ['Raw bars', 'Others', 'bar and space widths'],
  symbol: ['Miscellaneous symbols', 'Others'],
};

export const symbologyName = (symbology: Symbology): string => SYMBOLOGY_NAMES[symbology][0];

/** `EAN-13`, `ean 13` and `ean13` are one spelling. */
const spelling = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const SPELLINGS = new Map(
  SYMBOLOGIES.map((symbology) => {
    const [name, , ...others] = SYMBOLOGY_NAMES[symbology];
    return [symbology, [name, symbology, ...others].map(spelling)];
  }),
);

/** The symbology with exactly this name, identifier or other name. */
export function findSymbology(text: string): Symbology | undefined {
  const wanted = spelling(text);
  const byName = SYMBOLOGIES.filter((symbology) => SPELLINGS.get(symbology)?.slice(0, 2).includes(wanted));
  if (byName[0] !== undefined) return byName[0];
  const byOther = SYMBOLOGIES.filter((symbology) => SPELLINGS.get(symbology)?.includes(wanted));
  return byOther.length === 1 ? byOther[0] : undefined;
}

/** Symbologies that a text finds, the best first: an equal name, then names that start with it, then names that contain all of its words. */
export function searchSymbologies(text: string): readonly Symbology[] {
  const wanted = spelling(text);
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const rank = (symbology: Symbology): number => {
    const names = SPELLINGS.get(symbology) ?? [];
    if (names.includes(wanted)) return 0;
    if (names.some((name) => name.startsWith(wanted))) return 1;
    if (names.some((name) => name.includes(wanted))) return 2;
    const all = names.join(' ');
    return words.every((word) => all.includes(word)) ? 3 : Number.POSITIVE_INFINITY;
  };
  return inOrder()
    .map((symbology) => ({ symbology, rank: rank(symbology) }))
    .filter((found) => Number.isFinite(found.rank))
    .sort((a, b) => a.rank - b.rank)
    .map(({ symbology }) => symbology);
}

/** All symbologies, by family in the order of the table. */
export function inOrder(): readonly Symbology[] {
  const all = Object.keys(SYMBOLOGY_NAMES) as Symbology[];
  return FAMILIES.flatMap((family) => all.filter((symbology) => SYMBOLOGY_NAMES[symbology][1] === family));
}
