import { expect, test } from "bun:test";
import { encryptFor } from "./push-message.ts";

/** From RFC 8291, Appendix A. */
const example = {
  text: "When I grow up, I want to be a watermelon",
  ours: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  private: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

const bytes = (text: string) => Uint8Array.fromBase64(text, { alphabet: "base64url" });

test("`encryptFor` returns the bytes of the example in RFC 8291", async () => {
  const [x, y] = [bytes(example.ours).slice(1, 33), bytes(example.ours).slice(33)].map((half) =>
    half.toBase64({ alphabet: "base64url", omitPadding: true }),
  );
  const jwk = { kty: "EC", crv: "P-256", x, y };
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const pair = {
    publicKey: await crypto.subtle.importKey("jwk", jwk as JsonWebKey, curve, true, []),
    privateKey: await crypto.subtle.importKey("jwk", { ...jwk, d: example.private } as JsonWebKey, curve, true, [
      "deriveBits",
    ]),
  };
  const body = await encryptFor(crypto.subtle, example, example.text, { salt: bytes(example.salt), pair });
  expect(body.toBase64({ alphabet: "base64url", omitPadding: true })).toBe(example.body);
});
