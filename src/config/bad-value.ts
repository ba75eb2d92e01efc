/** Thrown by a parser. The message completes the sentence "NAME …". */
export class BadValue extends Error {}

/** A BadValue whose value must not be printed. */
export class BadSecret extends BadValue {}
