import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A passkey that a test holds. Every member can be changed, to act as a wrong device. */
export interface SoftwarePasskey {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  readonly cosePublicKey: Buffer;
  userHandle: string;
  counter: number;
}

interface Page {
  readonly origin: string;
  readonly rpId: string;
}

interface Options {
  readonly challenge: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const clientData = (type: string, { challenge }: Options, { origin }: Page) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** CBOR (RFC 8949) in its shortest form: a byte string of 24 bytes or more, and a text of at most 23 characters. */
const bytes = (data: Buffer) => {
  const length = data.length < 256 ? [0x58, data.length] : [0x59, data.length >> 8, data.length & 0xff];
  return Buffer.concat([Buffer.from(length), data]);
};
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

export function makePasskey(userHandle: string): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // A COSE key (RFC 9053): EC2, ES256, P-256, x, y.
  const cosePublicKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ]);
  return { id: randomBytes(16), privateKey, cosePublicKey, userHandle, counter: 0 };
}

/** What a browser posts for a new passkey; `isCertified`: with a certificate of its maker, which nobody asked for. */
export function registration(
  passkey: SoftwarePasskey,
  options: Options,
  page: Page,
  { userVerified = true, isCertified = false } = {},
) {
  const length = Buffer.from([0, passkey.id.length]);
  const credential = Buffer.concat([Buffer.alloc(16), length, passkey.id, passkey.cosePublicKey]);
  const flags = USER_PRESENT | HAS_CREDENTIAL | (userVerified ? USER_VERIFIED : 0);
  // A map with one entry: a list of one certificate, which cannot be read.
  const certificates = Buffer.concat([Buffer.from([0xa1]), text('x5c'), Buffer.from([0x81, 0x41, 0x00])]);
  const [format, statement] = isCertified ? ['apple', certificates] : ['none', Buffer.from([0xa0])];
  const attestation = Buffer.concat([
    Buffer.from([0xa3]),
    Buffer.concat([text('fmt'), text(format), text('attStmt'), statement, text('authData')]),
    bytes(Buffer.concat([authenticatorData(passkey, page.rpId, flags), credential])),
  ]);
  const id = passkey.id.toString('base64url');
  return {
    id,
    rawId: id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response: {
      clientDataJSON: clientData('webauthn.create', options, page).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    },
  };
}

/** What a browser posts when a passkey is used. */
export function assertion(
  passkey: SoftwarePasskey,
  options: Options,
  page: Page,
  { userVerified = true } = {},
) {
  const flags = USER_PRESENT | (userVerified ? USER_VERIFIED : 0);
  const signed = authenticatorData(passkey, page.rpId, flags);
  const client = clientData('webauthn.get', options, page);
  const signature = sign('sha256', Buffer.concat([signed, sha256(client)]), passkey.privateKey);
  const id = passkey.id.toString('base64url');
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: signed.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: passkey.userHandle,
    },
  };
}

function authenticatorData({ counter }: SoftwarePasskey, rpId: string, flags: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), tail]);
}
