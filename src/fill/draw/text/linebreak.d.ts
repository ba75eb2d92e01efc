/** Declares the part of the package that the engine uses. The package has no declarations. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next position where a line may or must end, as a UTF-16 offset. The last one is the end of the text. */
    nextBreak(): { readonly position: number; readonly required?: boolean } | null;
  }
}
