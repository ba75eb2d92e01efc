import { expect, test } from 'vitest';
import { keyKinds } from '../../test/support/product.ts';
import { SCOPES } from './key-kind.ts';

test('[SUB4] the scopes that routes require: are those that a key can have', () => {
  expect([...SCOPES]).toEqual(keyKinds.get('subscribers').scopes);
});
