import fc from 'fast-check';

/**
 * Properties run on the same values each time, so that a failure belongs to the change that brought it and not to the
 * draw. `ROWPRESS_TEST_SEED=…` draws others: worth doing by hand after a change to what a property speaks about.
 */
fc.configureGlobal({ seed: Number(process.env.ROWPRESS_TEST_SEED ?? 20_261) });
