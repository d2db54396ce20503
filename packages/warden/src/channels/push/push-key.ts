/**
 * The key of the house at push services (VAPID, RFC 8292). It is created once and kept in the
 * vault.
 */
import { type HouseId, lazy } from "@hearth/protocol";

/** The house's own values in the vault. */
export interface PushKeyStore {
  read(house: HouseId, name: string): Promise<string | undefined>;
  set(house: HouseId, name: string, value: string): Promise<void>;
}

export interface PushKeyOptions {
  readonly house: HouseId;
  readonly subtle: SubtleCrypto;
  readonly own: PushKeyStore;
}

export interface PushKeyPair {
  /** A JWK. */
  readonly private: string;
  /** The point of P-256, as base64url. */
  readonly public: string;
}

const SECRET_NAME = "push-key";
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

/**
 * Creates the two functions that read the key. Both throw `secret.locked`. If the vault's key is
 * lost, all subscriptions end.
 */
export const createPushKey = ({ house, subtle, own }: PushKeyOptions) => {
  const find = async (): Promise<PushKeyPair | undefined> => {
    const text = await own.read(house, SECRET_NAME);
    return text === undefined ? undefined : { private: text, public: toPublic(JSON.parse(text)) };
  };
  const make = async (): Promise<PushKeyPair> => {
    const pair = await subtle.generateKey(ALGORITHM, true, ["sign"]);
    await own.set(house, SECRET_NAME, JSON.stringify(await subtle.exportKey("jwk", pair.privateKey)));
    const storedPair = await find();
    if (storedPair === undefined) throw new TypeError("the key for notifications was not stored");
    return storedPair;
  };
  // Two browsers may ask at the same time.
  const findOrMake = lazy(async () => (await find()) ?? make());
  return { find, findOrMake };
};

const UNCOMPRESSED_POINT = 4;

const toPublic = ({ x = "", y = "" }: JsonWebKey): string =>
  Uint8Array.from([UNCOMPRESSED_POINT, ...toBytes(x), ...toBytes(y)]).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });

const toBytes = (text: string): Uint8Array => Uint8Array.fromBase64(text, { alphabet: "base64url" });
