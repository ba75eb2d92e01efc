import { describe, expect, it } from 'vitest';
import { likelyEncoding } from './likely-encoding.ts';

/** Every byte and every pair of bytes of an encoding, by the character it stands for. */
function encoderOf(label: string): (text: string) => Uint8Array {
  const bytesOf = new Map<string, readonly number[]>();
  const take = (...bytes: number[]) => {
    const text = new TextDecoder(label).decode(Uint8Array.from(bytes));
    if (!bytesOf.has(text)) bytesOf.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte += 1) take(byte);
  if (/^(shift_jis|euc|gb|big5)/.test(label))
    for (let lead = 0x81; lead < 0xff; lead += 1)
      for (let trail = 0x40; trail < 0xff; trail += 1) take(lead, trail);
  return (text) =>
    Uint8Array.from(
      [...text].flatMap((char) => {
        const bytes = bytesOf.get(char);
        if (bytes === undefined) throw new Error(`${label} has no ${char}`);
        return bytes;
      }),
    );
}

const TEXTS: readonly (readonly [string, string])[] = [
  ['windows-1252', 'Name;Ort\nMüller;München\n'],
  ['windows-1252', 'Name;Ort\nJürgen Jäger;Köln\nZoë Großmann;Görlitz\n'],
  ['windows-1252', 'Name,City\nJosé,León\nÉlodie,Orléans\n'],
  ['windows-1252', 'Navn;By\nSøren;Århus\nJørgen;Ærø\n'],
  ['windows-1252', 'Artikel;Preis\nKäse;12 €\n“Brot”;3 €\n'],
  ['windows-1252', 'Nome;Cidade\nJoão Simões;São Paulo\n'],
  ['windows-1250', 'Jméno;Město\nDvořák;Plzeň\nŠtěpán;Děčín\n'],
  ['windows-1250', 'Imię;Miasto\nŁukasz;Łódź\n'],
  ['iso-8859-2', 'Imię;Miasto\nŁukasz;Łódź\nWałęsa;Gdańsk\n'],
  ['windows-1250', 'Név;Város\nErdős;Győr\nSzűcs;Fertőd\n'],
  ['windows-1251', 'Имя;Город\nИван;Москва\n'],
  ['windows-1251', 'ИМЯ;ГОРОД\nИВАН;МОСКВА\n'],
  ['koi8-r', 'Имя;Город\nИван;Москва\n'],
  ['ibm866', 'Имя;Город\nИван;Москва\n'],
  ['windows-1253', 'Όνομα;Πόλη\nΓιώργος;Αθήνα\n'],
  ['windows-1254', 'Ad;Şehir\nÇağrı;İzmir\nIşıl;Muğla\n'],
  ['windows-1255', 'שם;עיר\nדוד;ירושלים\n'],
  ['macintosh', 'Name;Ort\nMüller;Köln\nJäger;Görlitz\n'],
  ['shift_jis', '名前;都市\n田中さん;東京\nスズキ;大阪\n'],
  ['euc-jp', '名前;都市\n田中さん;東京\nスズキ;大阪\n'],
  ['euc-kr', '이름;도시\n김철수;서울\n박영희;부산\n'],
  ['gb18030', '姓名;城市\n王小明;北京\n张伟;上海\n'],
  ['big5', '姓名;城市\n王小明;臺北\n張偉;高雄\n'],
];

describe('the likely encoding of a text', () => {
  it.each(TEXTS)('[FILL137] a table in %s (%j): its label', (label, text) => {
    expect(likelyEncoding(encoderOf(label)(text))).toBe(label);
  });

  it('[FILL137] UTF-8, and UTF-16 with or without a byte order mark: their labels', () => {
    const utf16 = (text: string, mark: string) => Buffer.from(mark + text, 'utf16le');
    expect(likelyEncoding(new TextEncoder().encode('Müller'))).toBe('utf-8');
    expect(likelyEncoding(utf16('Name;Ort\nMüller', '\ufeff'))).toBe('utf-16le');
    expect(likelyEncoding(utf16('Name;Ort\nMüller', ''))).toBe('utf-16le');
    expect(likelyEncoding(utf16('Name;Ort\nMüller', '').swap16())).toBe('utf-16be');
  });

  it('[FILL137] bytes that are not text: no guess', () => {
    expect(likelyEncoding(Uint8Array.of(0x81, 0x00, 0x00, 0x00, 0x9d, 0x03, 0x8f, 0x90))).toBe(null);
    expect(likelyEncoding(Uint8Array.of(0x41, 0xd7, 0xf7, 0xb1, 0x41))).toBe(null);
  });
});
