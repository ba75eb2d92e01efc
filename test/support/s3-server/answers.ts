import type { BucketContents, OpenUpload } from './contents.ts';
import { S3Refusal } from './refusal.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

const escaped = (text: string) => text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
const element = (name: string, content: string | number | boolean) =>
  `<${name}>${escaped(String(content))}</${name}>`;

export function errorXml({ code }: S3Refusal): string {
  return `${HEAD}<Error>${element('Code', code)}${element('Message', `refused: ${code}`)}</Error>`;
}

/** ListObjectsV2. Pages hold at most `pageSize` keys, even if more are requested; the token is the start of the next page. */
export function listXml(contents: BucketContents, bucket: string, query: URLSearchParams, pageSize: number) {
  const prefix = query.get('prefix') ?? '';
  const max = Math.min(Number(query.get('max-keys') ?? '1000'), pageSize);
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString();
  const keys = [...contents.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, max);
  const isTruncated = keys.length > page.length;
  const next = isTruncated
    ? element('NextContinuationToken', Buffer.from(page.at(-1) ?? '').toString('base64url'))
    : '';
  const listed = page.map((key) => {
    const { storedAt, tag, size } = contents.get(key);
    return `<Contents>${element('Key', key)}${element('LastModified', storedAt.toISOString())}${element('ETag', tag)}${element('Size', size)}</Contents>`;
  });
  return `${HEAD}<ListBucketResult ${NAMESPACE}>${element('Name', bucket)}${element('Prefix', prefix)}${element('KeyCount', page.length)}${element('MaxKeys', max)}${element('IsTruncated', isTruncated)}${next}${listed.join('')}</ListBucketResult>`;
}

export function uploadsXml(
  contents: BucketContents,
  bucket: string,
  query: URLSearchParams,
  pageSize: number,
) {
  const prefix = query.get('prefix') ?? '';
  const place = ({ key, id }: OpenUpload) => `${key} ${id}`;
  const after = `${query.get('key-marker') ?? ''} ${query.get('upload-id-marker') ?? ''}`;
  const open = [...contents.uploads.values()]
    .filter((upload) => upload.key.startsWith(prefix) && place(upload) > after)
    .sort((a, b) => (place(a) < place(b) ? -1 : 1));
  const page = open.slice(0, pageSize);
  const last = page.at(-1);
  const next =
    open.length > page.length && last !== undefined
      ? `${element('NextKeyMarker', last.key)}${element('NextUploadIdMarker', last.id)}`
      : '';
  const listed = page.map(
    ({ key, id, startedAt }) =>
      `<Upload>${element('Key', key)}${element('UploadId', id)}${element('Initiated', startedAt.toISOString())}</Upload>`,
  );
  return `${HEAD}<ListMultipartUploadsResult ${NAMESPACE}>${element('Bucket', bucket)}${element('IsTruncated', next !== '')}${next}${listed.join('')}</ListMultipartUploadsResult>`;
}

export function partsXml({ key, id, parts }: OpenUpload): string {
  const listed = [...parts].map(
    ([number, { storedAt, tag, bytes }]) =>
      `<Part>${element('PartNumber', number)}${element('LastModified', storedAt.toISOString())}${element('ETag', tag)}${element('Size', bytes.length)}</Part>`,
  );
  return `${HEAD}<ListPartsResult ${NAMESPACE}>${element('Key', key)}${element('UploadId', id)}${element('IsTruncated', false)}${listed.join('')}</ListPartsResult>`;
}

export function beganXml(bucket: string, { key, id }: OpenUpload): string {
  return `${HEAD}<InitiateMultipartUploadResult ${NAMESPACE}>${element('Bucket', bucket)}${element('Key', key)}${element('UploadId', id)}</InitiateMultipartUploadResult>`;
}

export function completedXml(bucket: string, key: string, tag: string): string {
  return `${HEAD}<CompleteMultipartUploadResult ${NAMESPACE}>${element('Bucket', bucket)}${element('Key', key)}${element('ETag', tag)}</CompleteMultipartUploadResult>`;
}

export function readWantedParts(xml: string): { number: number; tag: string }[] {
  const parts = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    tag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  }));
  if (parts.length === 0) throw new S3Refusal(400, 'MalformedXML');
  return parts;
}
