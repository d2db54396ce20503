/**
 * Derives the vault's key from a person's passphrase by scrypt. The key is not stored; it is
 * derived again at each start.
 */
import { scrypt } from "node:crypto";
import { HearthError, type World } from "@hearth/protocol";
import { z } from "zod";
import { KEY_SIZE } from "../../../policy/secrets/aead.ts";
import type { KeySource } from "../../../policy/secrets/key-source.ts";

/**
 * 32 MiB and three sequential lanes, OWASP's parameters for little memory. About 300 ms per start.
 */
const COST = { cost: 32_768, blockSize: 8, parallelization: 3 } as const;
/** The most memory that stored parameters may request, because the row may have been changed. */
const MAX_MEMORY = 256 * 1024 * 1024;
const SALT_SIZE = 16;

/**
 * Rejects parameters that scrypt would reject (RFC 7914, section 2), before scrypt sees them: after an
 * error of scrypt, the next hash with a key fails with the same error (Bun 1.4.5).
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
    const about = { salt: Buffer.from(random(SALT_SIZE)).toString("hex"), ...COST };
    return { key: await derive(passphrase, about), about: JSON.stringify(about) };
  },

  async find(_id, text, passphrase = "") {
    return derive(passphrase, readKdfParameters(text));
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
  const limits = { cost, blockSize, parallelization, maxmem: MAX_MEMORY };
  try {
    // On success Bun passes undefined where Node passes null.
    scrypt(normalized, Buffer.from(salt, "hex"), KEY_SIZE, limits, (error: unknown, key) => {
      if (error instanceof Error) reject(unreadableError(error));
      else resolve(new Uint8Array(key));
    });
  } catch (cause) {
    throw unreadableError(cause);
  }
  return promise;
};

const readKdfParameters = (text: string): z.infer<typeof KdfParameters> => {
  try {
    return KdfParameters.parse(JSON.parse(text));
  } catch (cause) {
    throw unreadableError(cause);
  }
};

const unreadableError = (cause: unknown): HearthError =>
  new HearthError("secret.locked", "The stored parameters of the passphrase are damaged.", {
    hint: "Restore hearth.db from a backup.",
    cause,
  });
