import fc from 'fast-check';

/**
 * Runs properties on the same values each time, so that a failure is caused by the change under test and not by the
 * seed. Set `ROWPRESS_TEST_SEED=…` to draw other values, for example after changing code that a property covers.
 */
fc.configureGlobal({ seed: Number(process.env.ROWPRESS_TEST_SEED ?? 20_261) });
