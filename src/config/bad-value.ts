/** What a parser throws: the reason, in words that finish the sentence "NAME …". */
export class BadValue extends Error {}

/** The same, of a value that must not be repeated. */
export class BadSecret extends BadValue {}
