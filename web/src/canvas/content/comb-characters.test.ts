import { expect, it } from 'vitest';
import { combCharacters } from './comb-characters.ts';

it('[EDT32] the cells on the canvas: one character each, right-to-left text reversed but for its numbers', () => {
  expect(combCharacters('e\u0301 2', 5)).toEqual(['e\u0301', ' ', '2']);
  expect(combCharacters('123456', 3)).toEqual(['1', '2', '3']);
  expect(combCharacters('אב 12', 9)).toEqual(['1', '2', ' ', 'ב', 'א']);
});
