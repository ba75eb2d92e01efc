/**
 * Where `ROWPRESS_BLOBS` says that blobs live:
 *
 *   (empty)                                        "blobs" in the data directory
 *   file:///absolute  file:/absolute  file:relative
 *   s3://bucket/prefix?endpoint=https://host:port&region=name&path_style=true
 */
export type BlobAddress =
  | { readonly kind: 'dataDir' }
  | { readonly kind: 'disk'; readonly address: string }
  | S3Address;

export interface S3Address {
  readonly kind: 's3';
  readonly bucket: string;
  /** Without slashes at its ends; empty: the whole bucket. */
  readonly prefix: string;
  /** Of a store that is not Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** The bucket in the path instead of the host name, which small stores without wildcard DNS need. */
  readonly pathStyle: boolean;
}

export type ParsedBlobAddress =
  | { readonly ok: true; readonly address: BlobAddress }
  /** `secret`: the value holds a credential and must not be repeated. */
  | { readonly ok: false; readonly problem: string; readonly secret?: true };

/** What S3 itself allows, and the capitals and underscores of older stores. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/;
/** The characters that S3 calls safe in keys: none of them is ever escaped, on any store. */
const PREFIX = /^[A-Za-z0-9!_.*'()-]+(\/[A-Za-z0-9!_.*'()-]+)*$/;
const REGION = /^[A-Za-z0-9-]+$/;
const MEMBERS = ['endpoint', 'region', 'path_style'];

export function parseBlobAddress(value: string): ParsedBlobAddress {
  if (value === '') return { ok: true, address: { kind: 'dataDir' } };
  if (/^file:./.test(value)) return { ok: true, address: { kind: 'disk', address: value } };
  return /^s3:\/\/./.test(value) ? parseS3(value) : refuse('must start with file: or s3://');
}

/** The address as people read it, without anything that was only said for the connection. */
export function describeS3({ bucket, prefix, endpoint }: S3Address): string {
  const name = prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  return endpoint === undefined ? name : `${name} at ${endpoint}`;
}

function refuse(problem: string): ParsedBlobAddress {
  return { ok: false, problem };
}

function parseS3(value: string): ParsedBlobAddress {
  if (!URL.canParse(value)) return refuse('must look like s3://bucket/prefix?endpoint=…&region=…');
  const { username, password, host, pathname, searchParams, hash } = new URL(value);
  if (username !== '' || password !== '')
    return {
      ok: false,
      secret: true,
      problem: 'must not hold a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    };
  const problem = judgeMembers(searchParams) ?? judgeNames(host, prefixOf(pathname), hash);
  if (problem !== undefined) return refuse(problem);
  const endpoint = readEndpoint(searchParams.get('endpoint'));
  if (!endpoint.ok) return endpoint;
  return {
    ok: true,
    address: {
      kind: 's3',
      bucket: host,
      prefix: prefixOf(pathname),
      endpoint: endpoint.url,
      region: searchParams.get('region') ?? undefined,
      pathStyle: (searchParams.get('path_style') ?? String(endpoint.url !== undefined)) === 'true',
    },
  };
}

const prefixOf = (pathname: string) => pathname.replace(/^\/|\/$/g, '');

function judgeMembers(members: URLSearchParams): string | undefined {
  const names = [...members.keys()];
  const unknown = names.find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return `has an unknown member "${unknown}" (known: ${MEMBERS.join(', ')})`;
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `says "${twice}" twice`;
  if (!REGION.test(members.get('region') ?? 'none')) return 'has a region that is none';
  if (!['true', 'false'].includes(members.get('path_style') ?? 'true'))
    return 'must say path_style=true or path_style=false';
  return undefined;
}

function judgeNames(bucket: string, prefix: string, hash: string): string | undefined {
  if (!BUCKET.test(bucket)) return 'must name a bucket of 3 to 63 letters, digits, dots and hyphens';
  if (prefix !== '' && (!PREFIX.test(prefix) || prefix.length > 500))
    return "may have letters, digits and !_.*'()- in its prefix, and single slashes between them";
  return hash === '' ? undefined : 'must not have a # in it';
}

type Endpoint = { readonly ok: true; readonly url: string | undefined } | (ParsedBlobAddress & { ok: false });

function readEndpoint(value: string | null): Endpoint {
  if (value === null) return { ok: true, url: undefined };
  if (!/^https?:\/\/./.test(value) || !URL.canParse(value))
    return { ok: false, problem: 'must have an endpoint that starts with http:// or https://' };
  const { username, password, search, hash, origin, pathname } = new URL(value);
  if (username !== '' || password !== '')
    return {
      ok: false,
      secret: true,
      problem: 'must not hold a password in its endpoint: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    };
  if (search !== '' || hash !== '')
    return { ok: false, problem: 'must have an endpoint without a question mark or # in it' };
  return { ok: true, url: `${origin}${pathname.replace(/\/$/, '')}` };
}
