import { describe, expect, it } from 'vitest';
import { SYMBOLOGIES } from '#fill/package/symbologies.ts';
import { findSymbology, inOrder, SYMBOLOGY_NAMES, searchSymbologies } from './symbology-names.ts';

describe('names of symbologies', () => {
  it('[EDT35] every symbology: has a name of its own and a family', () => {
    expect([...inOrder()].sort()).toEqual([...SYMBOLOGIES].sort());
    const names = SYMBOLOGIES.map((symbology) => SYMBOLOGY_NAMES[symbology][0]);
    expect(new Set(names).size).toBe(SYMBOLOGIES.length);
    for (const symbology of SYMBOLOGIES) {
      expect(findSymbology(SYMBOLOGY_NAMES[symbology][0])).toBe(symbology);
      expect(findSymbology(symbology)).toBe(symbology);
    }
  });

  it.each([
    ['EAN-13', 'ean13'],
    ['ean 13', 'ean13'],
    ['GTIN-13', 'ean13'],
    ['Interleaved 2 of 5', 'interleaved2of5'],
    ['USPS Intelligent Mail', 'onecode'],
    ['qr-bill', 'swissqrcode'],
    ['rMQR', 'rectangularmicroqrcode'],
  ])('[EDT35] %s: finds its symbology', (typed, symbology) => {
    expect(findSymbology(typed)).toBe(symbology);
    expect(searchSymbologies(typed)[0]).toBe(symbology);
  });

  it('[EDT35] a part of a name, or its digits: lists the symbologies, the best first', () => {
    expect(searchSymbologies('ean').slice(0, 2)).toEqual(['ean13', 'gs1-128']);
    expect(searchSymbologies('128').slice(0, 3)).toEqual(['code128', 'gs1-128', 'hibccode128']);
    expect(searchSymbologies('13')[0]).toBe('ean13');
    expect(searchSymbologies('matrix gs1')).toContain('gs1datamatrix');
    expect(searchSymbologies('nothing like it')).toEqual([]);
    expect(searchSymbologies('')).toHaveLength(SYMBOLOGIES.length);
  });

  it('[EDT35] an ambiguous other name: is not a symbology', () => {
    expect(findSymbology('GTIN-14')).toBeUndefined();
    expect(searchSymbologies('GTIN-14').slice(0, 2)).toEqual(['itf14', 'ean14']);
  });
});
