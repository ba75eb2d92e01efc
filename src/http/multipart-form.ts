/** Where uploaded files wait until the request is accepted: the blob store's temporary area. */
export interface TempSink<F extends TempFile = TempFile> {
  /** Takes all bytes, or, if they or the disk fail, keeps nothing and throws. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<F>;
}

export interface TempFile {
  /** Removes the file, unless it was kept in the meantime. May be called twice. */
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

/** What a surface's form may hold, and how the surface says that something is wrong. */
export interface MultipartRules {
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** Under which name a part is kept, and by which rule, where the form takes any number of files. Undefined: by its field. */
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
      /** As the client wrote it; never a path of ours. */
      readonly fileName: string | undefined;
      readonly mediaType: string;
    };

export interface MultipartForm<F extends TempFile> {
  readonly parts: ReadonlyMap<string, ReceivedPart<F>>;
  /** Removes what was not kept. */
  discard(): Promise<void>;
}
