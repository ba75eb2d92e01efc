import type { CreationOptions, RequestOptions } from '#console/contract/passkeys.ts';
import { callJson } from '../api/operator-client.ts';

/** Lets the browser sign in with a passkey that the person chooses. */
export async function signInWithPasskey(): Promise<void> {
  const json = await callJson<RequestOptions>('/session/passkey-options', { method: 'POST' });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never);
  const used = await navigator.credentials.get({ publicKey });
  await callJson('/session/passkey', { method: 'POST', json: toJson(used) });
}

/** Lets the browser create a passkey for the signed-in person. */
export async function addPasskey(name: string): Promise<void> {
  const json = await callJson<CreationOptions>('/passkeys/options', { method: 'POST' });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never);
  const made = await navigator.credentials.create({ publicKey });
  await callJson('/passkeys', { method: 'POST', json: { name, credential: toJson(made) } });
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey.');
  return credential.toJSON();
}
