/** An authenticator in software (WebAuthn, ES256), which can also sign what a real one refuses to sign. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { PasskeyAssertion, PasskeyAttestation, PasskeyChallenge } from "@hearth/protocol";

/** Changes of an answer by an attacker. Absent: the answer is honest. */
export interface FalseAnswer {
  /** The page that asked. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  /** Default: true. */
  readonly isVerified?: boolean;
  readonly userHandle?: string;
}

export interface Authenticator {
  readonly id: string;
  create(challenge: PasskeyChallenge, lie?: FalseAnswer): PasskeyAttestation;
  /** Counts one signature. */
  get(challenge: PasskeyChallenge, lie?: FalseAnswer): PasskeyAssertion;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;
const ID_SIZE_BYTES = 16;
const AAGUID_SIZE_BYTES = 16;

export const createAuthenticator = (origin: string): Authenticator => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const rawId = randomBytes(ID_SIZE_BYTES);
  const id = rawId.toString("base64url");
  let counter = 0;
  let userHandle = "";

  const dataOf = (lie: FalseAnswer, flags: number, ...rest: readonly Uint8Array[]): Buffer => {
    const head = Buffer.alloc(5);
    head.writeUInt8(PRESENT | flags | (lie.isVerified === false ? 0 : VERIFIED));
    head.writeUInt32BE(lie.counter ?? counter, 1);
    return Buffer.concat([sha256(Buffer.from(lie.rpId ?? new URL(origin).hostname)), head, ...rest]);
  };

  return {
    id,

    create({ options }, lie = {}) {
      userHandle = (options["user"] as { readonly id: string }).id;
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(rawId.length);
      const jwk = publicKey.export({ format: "jwk" });
      const data = dataOf(lie, WITH_KEY, Buffer.alloc(AAGUID_SIZE_BYTES), idLength, rawId, coseOf(jwk));
      return {
        ...{ id, rawId: id, type: "public-key" },
        response: {
          clientDataJSON: clientData("webauthn.create", options, lie.origin ?? origin).toString("base64url"),
          attestationObject: attestation(data).toString("base64url"),
        },
      };
    },

    get({ options }, lie = {}) {
      counter += 1;
      const data = dataOf(lie, 0);
      const client = clientData("webauthn.get", options, lie.origin ?? origin);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...{ id, rawId: id, type: "public-key" },
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle: lie.userHandle ?? userHandle,
        },
      };
    },
  };
};

const sha256 = (data: Uint8Array): Buffer => createHash("sha256").update(data).digest();

const clientData = (type: string, options: PasskeyChallenge["options"], origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge: options["challenge"], origin, crossOrigin: false }));

/** The public key as CBOR: kty EC2, alg ES256, crv P-256, x and y. */
const coseOf = ({ x = "", y = "" }: JsonWebKey): Buffer =>
  Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, "base64url"),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, "base64url"),
  ]);

/** `{ fmt: "none", attStmt: {}, authData }` as CBOR. */
const attestation = (data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    ...[text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData")],
    Buffer.from([0x58, data.length]),
    data,
  ]);

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
