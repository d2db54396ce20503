/** Ed25519 with Node's crypto. */
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import type { Ed25519 } from "../../kernel/streams/subscriptions/signing.ts";

export const createEd25519 = (): Ed25519 => ({
  generate() {
    const { x = "", d = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
    return { public: x, secret: d };
  },
  sign({ public: x, secret: d }, text) {
    const key = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x, d }, format: "jwk" });
    return sign(null, Buffer.from(text), key).toString("base64url");
  },
});
