/** The temporary area of the blob store, which holds uploaded files until the request is accepted. */
export interface TempSink<F extends TempFile = TempFile> {
  /** Stores all bytes, or throws and stores nothing. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<F>;
}

export interface TempFile {
  /** Deletes the file, unless it was kept in the meantime. May be called twice. */
  discard(): Promise<void>;
}

/** `text` is held in memory (keep `maxBytes` small), `file` goes to the sink. */
export interface FieldRule {
  readonly kind: 'text' | 'file';
  readonly maxBytes: number;
}

export type MultipartRefusal =
  | { readonly problem: 'malformed'; readonly detail: string }
  | { readonly problem: 'unknown' | 'duplicate' | 'tooLarge' | 'notText'; readonly field: string };

/** The fields of a form, and how the surface reports a problem with them. */
export interface MultipartRules {
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** The name and rule of a part, if the form takes any number of files. Undefined: the rule of its field. */
  nameFile?(field: string, fileName: string | undefined): NamedFile | undefined;
  refuse(refusal: MultipartRefusal): Error;
}

export interface NamedFile {
  readonly name: string;
  readonly rule: FieldRule;
}

export type ReceivedPart<F extends TempFile> =
  | { readonly kind: 'text'; readonly value: string; readonly sha256: string }
  | {
      readonly kind: 'file';
      readonly file: F;
      readonly sizeBytes: number;
      readonly sha256: string;
      /** As the client wrote it; never used as a path. */
      readonly fileName: string | undefined;
      readonly mediaType: string;
    };

export interface MultipartForm<F extends TempFile> {
  readonly parts: ReadonlyMap<string, ReceivedPart<F>>;
  /** Deletes the files that were not kept. */
  discard(): Promise<void>;
}
