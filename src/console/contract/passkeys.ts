import { z } from 'zod';
import { listOf, pageOf } from './list.ts';

/** A passkey as the lists show it. It holds nothing that signs in. */
export const passkey = z.strictObject({
  id: z.string(),
  operator: z.strictObject({ id: z.string(), name: z.string() }),
  name: z.string(),
  /** The host name that the passkey works for. */
  rp_id: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** Whether it belongs to the caller. */
  is_own: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;
export const passkeyPage = pageOf(passkey);

const credential = z.strictObject({
  id: z.string(),
  type: z.literal('public-key'),
  transports: listOf(z.string()),
});

/** What the browser needs to create a passkey: PublicKeyCredentialCreationOptionsJSON of WebAuthn level 3. */
export const creationOptions = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: listOf(z.strictObject({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: listOf(credential),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type CreationOptions = z.infer<typeof creationOptions>;

/** What the browser needs to use a passkey: PublicKeyCredentialRequestOptionsJSON. No list of passkeys: the person chooses one. */
export const requestOptions = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
});
export type RequestOptions = z.infer<typeof requestOptions>;

const base64url = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .regex(/^[A-Za-z0-9_-]+$/);
/** At most 1,023 bytes (WebAuthn, section 4). */
const credentialId = base64url(1_364);
const clientDataJSON = base64url(4_000);

/** What a browser returns for a new passkey (RegistrationResponseJSON); members that are not listed are ignored. */
export const newCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(10_000),
    transports: z.array(z.string().min(1).max(32)).max(10).default([]),
  }),
});
export type NewCredential = z.infer<typeof newCredential>;

/** What a browser returns when a passkey is used (AuthenticationResponseJSON). */
export const usedCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(2_000),
    signature: base64url(4_000),
    userHandle: base64url(100),
  }),
});
export type UsedCredential = z.infer<typeof usedCredential>;
