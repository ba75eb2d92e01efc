import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/**
 * Creates certificates while the test runs, so that no private key is committed and none expires.
 * Node can create keys and signatures but not certificates, hence the few lines of DER (X.690) that an X.509 v3
 * certificate (RFC 5280) with a P-256 key and ECDSA-SHA256 signature needs.
 */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface TestAuthority {
  /** The CA certificate that a client must trust. */
  readonly ca: string;
  issue(names: readonly string[], until?: string): TestCertificate;
}

export function createAuthority(): TestAuthority {
  const authority = newKeys();
  const issuer = 'Rowpress test authority';
  const ca = certificate({
    subject: issuer,
    issuer,
    keys: authority,
    signer: authority,
    names: [],
    ca: true,
  });
  return {
    ca,
    issue(names, until) {
      const keys = newKeys();
      const subject = names[0] ?? 'nobody';
      return {
        cert: certificate({ subject, issuer, keys, signer: authority, names, ca: false, until }),
        key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function newKeys(): Keys {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

interface CertificateParts {
  readonly subject: string;
  readonly issuer: string;
  readonly keys: Keys;
  readonly signer: Keys;
  readonly names: readonly string[];
  readonly ca: boolean;
  /** ASN.1 time format: `20250101000000Z`. */
  readonly until?: string | undefined;
}

const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'));

function certificate({ subject, issuer, keys, signer, names, ca, until }: CertificateParts): string {
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // serial number
    ecdsaWithSha256,
    distinguishedName(issuer),
    der(0x30, time('20200101000000Z'), time(until ?? '20990101000000Z')),
    distinguishedName(subject),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, basicConstraints(ca), ...(names.length > 0 ? [alternativeNames(names)] : []))),
  );
  const signature = sign('sha256', toBeSigned, signer.privateKey);
  const whole = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function basicConstraints(ca: boolean): Buffer {
  const value = ca ? der(0x30, der(0x01, Buffer.from([0xff]))) : der(0x30);
  return der(0x30, oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, value));
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  );
  return der(0x30, oid('551d11'), der(0x04, der(0x30, ...entries)));
}

function distinguishedName(commonName: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(commonName)))));
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), body]);
  const size = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, body]);
}
