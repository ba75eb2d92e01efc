/** The package comes without declarations; this is the part that the engine uses. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place where a line may or must end, as a UTF-16 offset; the last one is the end of the text. */
    nextBreak(): { readonly position: number; readonly required?: boolean } | null;
  }
}
