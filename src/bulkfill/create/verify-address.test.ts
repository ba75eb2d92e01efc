import { expect, test } from 'vitest';
import { verifyAddress } from './verify-address.ts';

const publicUrl = 'https://forms.example.com/tools/';
const verify_column = 'Verify';

test('[BF237] [BF239] the address of a create or a retry: that of the settings; rejected if the setting is off', () => {
  expect(verifyAddress({ verify: true, publicUrl }, { verify_column })).toBe(
    'https://forms.example.com/tools',
  );
  expect(() => verifyAddress({ verify: false, publicUrl }, { verify_column })).toThrow(
    'verify_column needs a server with ROWPRESS_VERIFY=true',
  );
  expect(verifyAddress({ verify: false, publicUrl }, {})).toBeUndefined();
});
