import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { S3Refusal } from './refusal.ts';

export interface S3Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

/** "Authenticating requests: using the Authorization header" in the S3 API reference. */
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
const MAX_SKEW_MS = 15 * 60_000;

/** Verifies a request as S3 would: signer, region, time, every header, and the exact bytes of the body. */
export function verifySignature(
  request: IncomingMessage,
  body: Buffer,
  account: S3Account,
  linkTime: Date,
): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://s3');
  if (searchParams.has('X-Amz-Signature')) {
    verifyLink(request, searchParams, account, linkTime);
    return;
  }
  const found = AUTHORIZATION.exec(request.headers.authorization ?? '');
  if (found === null) throw new S3Refusal(403, 'AccessDenied');
  const [, keyId = '', day = '', region = '', signedHeaders = '', signature = ''] = found;
  if (keyId !== account.accessKeyId) throw new S3Refusal(403, 'InvalidAccessKeyId');
  if (region !== account.region) throw new S3Refusal(400, 'AuthorizationHeaderMalformed');
  if (request.headers['x-amz-security-token'] !== account.sessionToken)
    throw new S3Refusal(403, account.sessionToken === undefined ? 'AccessDenied' : 'InvalidToken');
  const time = String(request.headers['x-amz-date'] ?? '');
  if (!isRecent(time, day)) throw new S3Refusal(403, 'RequestTimeTooSkewed');
  const names = signedHeaders.split(';');
  const mustSign = Object.keys(request.headers).filter(
    (name) => name === 'host' || name.startsWith('x-amz-'),
  );
  if (!mustSign.every((name) => names.includes(name))) throw new S3Refusal(403, 'AccessDenied');

  const payload = String(request.headers['x-amz-content-sha256'] ?? '');
  compare(request, account, { day, time, region, signedHeaders, payload, signature });
  verifyPayload(payload, body);
}

/** "Authenticating requests: using query parameters". Besides the link, no other authorisation is allowed. */
function verifyLink(request: IncomingMessage, query: URLSearchParams, account: S3Account, now: Date): void {
  const of = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  if (request.headers.authorization !== undefined) throw new S3Refusal(400, 'InvalidArgument');
  const [keyId, day = '', region = ''] = of('Credential').split('/');
  if (keyId !== account.accessKeyId) throw new S3Refusal(403, 'InvalidAccessKeyId');
  if (of('Security-Token') !== (account.sessionToken ?? '')) throw new S3Refusal(403, 'InvalidToken');
  const seconds = Number(of('Expires'));
  if (!(seconds >= 1 && seconds <= 604_800)) throw new S3Refusal(400, 'AuthorizationQueryParametersError');
  const time = of('Date');
  const age = now.getTime() - (instantOf(time) ?? Number.NaN);
  if (!(age >= -MAX_SKEW_MS && age < seconds * 1000)) throw new S3Refusal(403, 'AccessDenied');
  const mustSign = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  if (mustSign.length > 0) throw new S3Refusal(403, 'AccessDenied');
  const [signedHeaders, signature] = [of('SignedHeaders'), of('Signature')];
  compare(request, account, { day, time, region, signedHeaders, payload: 'UNSIGNED-PAYLOAD', signature });
}

interface Signed {
  readonly day: string;
  readonly time: string;
  readonly region: string;
  readonly signedHeaders: string;
  readonly payload: string;
  readonly signature: string;
}

function compare(request: IncomingMessage, account: S3Account, signed: Signed): void {
  const { day, time, region, signedHeaders, payload, signature } = signed;
  const canonical = [
    request.method,
    ...canonicalAddress(request.url ?? '/'),
    ...signedHeaders.split(';').map((name) => `${name}:${headerText(request, name)}`),
    '',
    signedHeaders,
    payload,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (last, text) => hmac(last, text),
    Buffer.from(`AWS4${account.secretAccessKey}`),
  );
  if (!timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex')))
    throw new S3Refusal(403, 'SignatureDoesNotMatch');
}

/** The forms that the product sends. Rejects chunked signatures and trailers, as some stores do. */
function verifyPayload(payload: string, body: Buffer): void {
  if (payload.startsWith('STREAMING-')) throw new S3Refusal(501, 'NotImplemented');
  if (payload === 'UNSIGNED-PAYLOAD') return;
  if (payload !== sha256(body)) throw new S3Refusal(400, 'XAmzContentSHA256Mismatch');
}

function isRecent(time: string, day: string): boolean {
  const at = instantOf(time);
  return at !== undefined && time.startsWith(day) && Math.abs(Date.now() - at) <= MAX_SKEW_MS;
}

function instantOf(time: string): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time);
  if (found === null) return undefined;
  const [, year, month, date, hour, minute, second] = found;
  return Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
}

/** Path and query with each part re-encoded and the query sorted. */
function canonicalAddress(url: string): [string, string] {
  const [path = '', query = ''] = url.split('?', 2);
  // A link contains its own signature, which cannot sign itself.
  const parts = query.split('&').filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='));
  const pairs = parts.map((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    return `${encode(decodeURIComponent(name))}=${encode(decodeURIComponent(value))}`;
  });
  const segments = path.split('/').map((segment) => encode(decodeURIComponent(segment)));
  return [segments.join('/'), pairs.sort().join('&')];
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headerText(request: IncomingMessage, name: string): string {
  const values = request.headersDistinct[name] ?? [];
  return values.map((value) => value.trim().replace(/ +/g, ' ')).join(',');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
