/** "Rwps": keeps our advisory locks apart from any others. */
export const ADVISORY_SPACE = 0x52777073;
