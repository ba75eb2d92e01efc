import { expect, test } from 'vitest';
import { deviceOrAgent, deviceWords } from './device-words.ts';

test('[EDT208] a user agent: is named by its browser and system', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  expect(deviceWords(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`)).toBe('Chrome on Windows');
  expect(deviceWords(`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Edg/140.0`)).toBe('Edge on Linux');
  expect(deviceWords('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
    'Firefox on Linux',
  );
  expect(deviceWords('curl/8')).toBe('a browser');
});

test('[PPL42] the browser of a session: named, or its user agent if it is not known', () => {
  expect(deviceOrAgent('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
    'Firefox on Linux',
  );
  expect(deviceOrAgent('curl/8.5.0')).toBe('curl/8.5.0');
});
