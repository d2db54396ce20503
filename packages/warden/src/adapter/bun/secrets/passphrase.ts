/** The vault's key from what a person knows, by scrypt: it is kept nowhere, and is made anew at each start. */
import { scrypt } from "node:crypto";
import { HearthError, type World } from "@hearth/protocol";
import { z } from "zod";
import { KEY_SIZE } from "../../../policy/secrets/aead.ts";
import type { KeySource } from "../../../policy/secrets/key-source.ts";

/** 32 MiB and three lanes, one after the other: what OWASP asks for where memory is dear. Some 300 ms, once a start. */
const COST = { cost: 32_768, blockSize: 8, parallelization: 3 } as const;
/** What another Hearth may have asked for at most: a row that was changed must not take all memory. */
const MAX_MEMORY = 256 * 1024 * 1024;
const SALT_SIZE = 16;

const About = z.strictObject({
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  cost: z.int().positive(),
  blockSize: z.int().positive(),
  parallelization: z.int().min(1).max(16),
});

export const createPassphraseKeySource = ({ random }: Pick<World, "random">): KeySource => ({
  traits: { asksPassphrase: true },

  async make(_id, passphrase = "") {
    const about = { salt: Buffer.from(random(SALT_SIZE)).toString("hex"), ...COST };
    return { key: await derive(passphrase, about), about: JSON.stringify(about) };
  },

  async find(_id, text, passphrase = "") {
    return derive(passphrase, readAbout(text));
  },

  drop: async () => {},
});

const derive = async (
  passphrase: string,
  { salt, cost, blockSize, parallelization }: z.infer<typeof About>,
): Promise<Uint8Array> => {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  // One person's keyboard composes what another's has as one sign.
  const said = passphrase.normalize("NFKC");
  const limits = { cost, blockSize, parallelization, maxmem: MAX_MEMORY };
  try {
    // Bun tells of no error where Node tells of null.
    scrypt(said, Buffer.from(salt, "hex"), KEY_SIZE, limits, (error: unknown, key) => {
      if (error instanceof Error) reject(unreadable(error));
      else resolve(new Uint8Array(key));
    });
  } catch (cause) {
    throw unreadable(cause);
  }
  return promise;
};

const readAbout = (text: string): z.infer<typeof About> => {
  try {
    return About.parse(JSON.parse(text));
  } catch (cause) {
    throw unreadable(cause);
  }
};

const unreadable = (cause: unknown): HearthError =>
  new HearthError("secret.locked", "What is kept beside the passphrase to make its key is not as it was written.", {
    hint: "Restore hearth.db from a backup.",
    cause,
  });
