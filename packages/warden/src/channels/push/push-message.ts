/** The bytes of Web Push: the encryption for one device (RFC 8291), and the signature of the house (RFC 8292). */
import type { PushKeyPair } from "./push-key.ts";

/** The keys that a browser created for its subscription, as base64url. */
export interface DeviceKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** The random values of one message. A test passes those of the example in RFC 8291. */
export interface Ephemeral {
  /** 16 bytes. */
  readonly salt: Uint8Array;
  readonly pair: CryptoKeyPair;
}

const CURVE = "P-256";
const KEY_BITS = 128;
const NONCE_BITS = 96;
const SECRET_BITS = 256;
/** Messages have one record, and push services accept records up to this size. */
const RECORD_SIZE = 4096;
/** Ends the last record, before its padding. */
const LAST_RECORD_DELIMITER = 2;

export const createPair = (subtle: SubtleCrypto): Promise<CryptoKeyPair> =>
  subtle.generateKey({ name: "ECDH", namedCurve: CURVE }, true, ["deriveBits"]) as Promise<CryptoKeyPair>;

/** Encrypts with `aes128gcm` (RFC 8188). Throws if the key is not a point of the curve. */
export const encryptFor = async (
  subtle: SubtleCrypto,
  device: DeviceKeys,
  text: string,
  { salt, pair }: Ephemeral,
): Promise<Uint8Array<ArrayBuffer>> => {
  const deviceKey = fromBase64(device.p256dh);
  const ownKey = new Uint8Array(await subtle.exportKey("raw", pair.publicKey));
  const publicKey = await subtle.importKey("raw", deviceKey, { name: "ECDH", namedCurve: CURVE }, false, []);
  const sharedSecret = new Uint8Array(
    await subtle.deriveBits({ name: "ECDH", public: publicKey }, pair.privateKey, SECRET_BITS),
  );
  const info = join(utf8("WebPush: info\0"), deviceKey, ownKey);
  const secret = await derive(subtle, sharedSecret, fromBase64(device.auth), info, SECRET_BITS);
  const key = await derive(subtle, secret, salt, utf8("Content-Encoding: aes128gcm\0"), KEY_BITS);
  const iv = await derive(subtle, secret, salt, utf8("Content-Encoding: nonce\0"), NONCE_BITS);
  const cipher = await subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]);
  const plaintext = join(utf8(text), Uint8Array.of(LAST_RECORD_DELIMITER));
  const record = await subtle.encrypt({ name: "AES-GCM", iv }, cipher, plaintext);
  const size = new Uint8Array(Uint32Array.BYTES_PER_ELEMENT);
  new DataView(size.buffer).setUint32(0, RECORD_SIZE);
  return join(salt, size, Uint8Array.of(ownKey.length), ownKey, new Uint8Array(record));
};

export interface Claims {
  /** The origin of the push service. */
  readonly aud: string;
  /** Seconds since 1970, at most a day ahead. */
  readonly exp: number;
  /** The address at which operators of the push service reach the operator of the house. */
  readonly sub: string;
}

/** Returns the value of `Authorization`: a token that the key of the house signed. */
export const authorize = async (subtle: SubtleCrypto, key: PushKeyPair, claims: Claims): Promise<string> => {
  const signer = await subtle.importKey("jwk", JSON.parse(key.private), { name: "ECDSA", namedCurve: CURVE }, false, [
    "sign",
  ]);
  const parts = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => toBase64(utf8(JSON.stringify(part)))).join(".");
  const signature = await subtle.sign({ name: "ECDSA", hash: "SHA-256" }, signer, utf8(parts));
  return `vapid t=${parts}.${toBase64(new Uint8Array(signature))}, k=${key.public}`;
};

const derive = async (subtle: SubtleCrypto, secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bits: number) => {
  const key = await subtle.importKey("raw", join(secret), "HKDF", false, ["deriveBits"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: join(salt), info: join(info) };
  return new Uint8Array(await subtle.deriveBits(parameters, key, bits));
};

const join = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
};

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const toBase64 = (bytes: Uint8Array): string => bytes.toBase64({ alphabet: "base64url", omitPadding: true });
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.fromBase64(text, { alphabet: "base64url" });
