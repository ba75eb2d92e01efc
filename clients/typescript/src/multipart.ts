import { joined, type Opened, openSource, type Source } from './source.ts';

export interface Form {
  readonly contentType: string;
  readonly body: Opened;
}

const utf8 = new TextEncoder();

/** Builds a `multipart/form-data` body (RFC 7578). Texts come first, so that the server can reject them early. */
export async function buildForm(
  texts: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Source>>,
  boundary: string,
): Promise<Form> {
  const parts: Opened[] = [];
  const text = async (value: string) => parts.push(await openSource(utf8.encode(value)));
  for (const [name, value] of Object.entries(texts))
    await text(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  for (const [name, source] of Object.entries(files)) {
    await text(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    );
    parts.push(await openSource(source));
    await text('\r\n');
  }
  await text(`--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: joined(parts) };
}
