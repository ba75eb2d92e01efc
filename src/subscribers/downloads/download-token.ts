import { timingSafeEqual } from 'node:crypto';
import type { SubscribersParts } from '../parts.ts';

/**
 * The unguessable part of a download link: `<issuer>.<keyed hash of job and issuer>`. It is never stored, but computed
 * whenever the link is shown or checked. The issuer is the id of the key that read the link, or `operator:<id>`.
 */
export function makeDownloadToken(
  { signLink }: Pick<SubscribersParts, 'signLink'>,
  jobId: string,
  issuer: string,
): string {
  return `${issuer}.${signLink(signedText(jobId, issuer))}`;
}

/** Returns the issuer of a token that this installation made for this job; undefined for any other token. */
export function issuerOf(
  { signLinkAll }: Pick<SubscribersParts, 'signLinkAll'>,
  jobId: string,
  token: string,
): string | undefined {
  const issuer = token.slice(0, Math.max(0, token.lastIndexOf('.')));
  const given = Buffer.from(token);
  const genuine = signLinkAll(signedText(jobId, issuer))
    .map((signature) => Buffer.from(`${issuer}.${signature}`))
    .some((made) => given.length === made.length && timingSafeEqual(given, made));
  return genuine ? issuer : undefined;
}

const signedText = (jobId: string, issuer: string) => `${jobId} ${issuer}`;
