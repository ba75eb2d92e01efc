/** The parts of Node's modules that the client uses. Deno and Bun have the same modules; browsers have none. */
export interface FileHandle {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(buffer: Uint8Array): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
export interface FileSystem {
  open(path: string | URL, flags: string): Promise<FileHandle>;
  stat(path: string | URL): Promise<{ readonly size: number }>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}
export interface NodeHash {
  update(bytes: Uint8Array): NodeHash;
  digest(encoding: 'hex'): string;
}
interface NodeCrypto {
  createHash(name: 'sha256'): NodeHash;
}
export interface Zlib {
  inflateRawSync(bytes: Uint8Array): Uint8Array;
}

interface Process {
  readonly versions?: Readonly<Record<string, string>>;
  getBuiltinModule?(name: string): unknown;
}
const host = (globalThis as { process?: Process }).process;

/** Whether this is Node, Deno or Bun, which send request bodies as streams. Browsers do so only over HTTP/2. */
export const isServerSide = host?.versions?.node !== undefined;

/** Loads a module of Node without a static import, which a bundler for browsers could not resolve. */
export async function nodeModule<T>(name: string): Promise<T | undefined> {
  if (!isServerSide) return undefined;
  if (host?.getBuiltinModule !== undefined) return host.getBuiltinModule(name) as T;
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

/** SHA-256 by Node, which is several times faster than our own; undefined in a browser. */
export async function nodeHash(): Promise<NodeHash | undefined> {
  return (await nodeModule<NodeCrypto>('node:crypto'))?.createHash('sha256');
}

export async function fileSystem(): Promise<FileSystem> {
  const found = await nodeModule<FileSystem>('node:fs/promises');
  if (found === undefined)
    throw new TypeError(
      'Paths work only in Node, Deno and Bun. Pass a Blob, a Uint8Array or a stream instead.',
    );
  return found;
}
