import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What an authenticator is told to do otherwise than well. */
export interface Answering {
  /** Whether the user was verified, by a fingerprint or a PIN. */
  readonly verified?: boolean;
  /** Where the page that asked was. */
  readonly origin?: string;
  /** The count of signatures; a copy of a passkey repeats one. */
  readonly counter?: number;
}

/** A passkey in software; it answers options as a browser does. */
export interface Authenticator {
  readonly id: string;
  create(options: { challenge: string; rp: { id?: string } }, how?: Answering): object;
  get(options: { challenge: string; rpId?: string }, how?: Answering): object & { id: string };
}

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value]);
const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();

const PRESENT = 1;
const VERIFIED = 4;
const WITH_KEY = 64;

/** Makes a passkey that belongs to pages at an origin. */
export function createAuthenticator(home: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const jwk = publicKey.export({ format: 'jwk' });
  const part = (value: string | undefined): Buffer =>
    Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(value ?? '', 'base64url')]);
  const cose = Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
    part(jwk.x),
    Buffer.from([0x22]),
    part(jwk.y),
  ]);
  let count = 0;

  const data = (
    rpId: string,
    flags: number,
    { verified = true, counter }: Answering,
    key: Buffer,
  ): Buffer => {
    count = counter ?? count + 1;
    const head = Buffer.alloc(5);
    head[0] = flags | PRESENT | (verified ? VERIFIED : 0);
    head.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(rpId), head, key]);
  };
  const client = (type: string, challenge: string, { origin = home }: Answering): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id: id.toString('base64url'),
    create: (options, how = {}) => {
      const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const authData = data(options.rp.id ?? '', WITH_KEY, how, key);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(authData),
      ]);
      return credential({
        clientDataJSON: client('webauthn.create', options.challenge, how).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    get: (options, how = {}) => {
      const authData = data(options.rpId ?? '', 0, how, Buffer.alloc(0));
      const clientData = client('webauthn.get', options.challenge, how);
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
      return credential({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      }) as object & { id: string };
    },
  };
}
