/** Encrypted content encoding (RFC 8188), as receivers of tests use it. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";
  export const decrypt: (
    body: Buffer,
    options: { readonly version: "aes128gcm"; readonly privateKey: ECDH; readonly authSecret: string },
  ) => Buffer;
}
