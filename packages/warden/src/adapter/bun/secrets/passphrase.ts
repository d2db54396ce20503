/**
 * Derives the vault's key from a person's passphrase by scrypt. The key is not stored. It is
 * derived again at each start.
 */
import { scrypt } from "node:crypto";
import { HearthError, type World } from "@hearth/protocol";
import { z } from "zod";
import { KEY_SIZE } from "../../../policy/secrets/aead.ts";
import type { KeySource } from "../../../policy/secrets/key-source.ts";

/**
 * The parameters that OWASP recommends for 32 MiB of memory: three sequential lanes. They add about
 * 300 ms to each start.
 */
const NEW_PARAMETERS = { cost: 32_768, blockSize: 8, parallelization: 3 } as const;
/** The most memory that stored parameters may request. An attacker could have changed the database. */
const MAX_MEMORY = 256 * 1024 * 1024;
const SALT_SIZE = 16;

/**
 * Rejects the parameters that scrypt rejects (RFC 7914, section 2). In Bun 1.4.5, an error of scrypt
 * also makes the next HMAC fail with the same error.
 */
const KdfParameters = z
  .strictObject({
    salt: z.string().regex(/^[0-9a-f]{32}$/),
    cost: z.int().min(2),
    blockSize: z.int().min(1),
    parallelization: z.int().min(1).max(16),
  })
  .refine(({ cost }) => Number.isInteger(Math.log2(cost)), "The cost is not a power of two.")
  .refine(({ cost, blockSize }) => cost < 2 ** (16 * blockSize), "The cost is too large for the block size.")
  .refine(
    ({ cost, blockSize, parallelization }) => 128 * blockSize * (cost + parallelization + 1) <= MAX_MEMORY,
    "The parameters need more memory than the limit.",
  );

export const createPassphraseKeySource = ({ random }: Pick<World, "random">): KeySource => ({
  traits: { asksPassphrase: true },

  async make(_id, passphrase = "") {
    const parameters = { salt: Buffer.from(random(SALT_SIZE)).toString("hex"), ...NEW_PARAMETERS };
    return { key: await derive(passphrase, parameters), about: JSON.stringify(parameters) };
  },

  async find(_id, about, passphrase = "") {
    return derive(passphrase, readKdfParameters(about));
  },

  drop: async () => {},
});

const derive = async (
  passphrase: string,
  { salt, cost, blockSize, parallelization }: z.infer<typeof KdfParameters>,
): Promise<Uint8Array> => {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  // Keyboards may produce the same character in composed or decomposed form.
  const normalized = passphrase.normalize("NFKC");
  const options = { cost, blockSize, parallelization, maxmem: MAX_MEMORY };
  try {
    // On success Bun passes undefined where Node passes null.
    scrypt(normalized, Buffer.from(salt, "hex"), KEY_SIZE, options, (error: unknown, key) => {
      if (error instanceof Error) reject(unreadableError(error));
      else resolve(new Uint8Array(key));
    });
  } catch (cause) {
    throw unreadableError(cause);
  }
  return promise;
};

const readKdfParameters = (about: string): z.infer<typeof KdfParameters> => {
  try {
    return KdfParameters.parse(JSON.parse(about));
  } catch (cause) {
    throw unreadableError(cause);
  }
};

const unreadableError = (cause: unknown): HearthError =>
  new HearthError("secret.locked", "The stored parameters for the passphrase are damaged.", {
    hint: "Restore hearth.db from a backup.",
    cause,
  });
