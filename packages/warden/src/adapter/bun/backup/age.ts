/** Encrypts and decrypts files in the age format. The library is loaded when it is first used. */
import { HearthError } from "@hearth/protocol";
import type { Chunks } from "./backup-disk.ts";

export interface Encryption {
  encrypt(chunks: Chunks): Promise<Chunks>;
}

export interface Decryption {
  /** Throws `backup.locked` when no identity fits. A damaged file throws while it is read. */
  decrypt(chunks: Chunks): Promise<Chunks>;
}

/**
 * Creates the encryption. `recipients` are public keys, `age1…`. Throws `config.invalid` for any
 * other text.
 */
export const createEncryption = async (recipients: readonly string[]): Promise<Encryption> => {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      throw new HearthError("config.invalid", `"${recipient}" is not an age recipient.`, {
        hint: "A recipient begins with age1. To make a key pair: age-keygen -o key.txt",
        cause,
      });
    }
  return { encrypt: (chunks) => encrypter.encrypt(toStream(chunks)) };
};

/**
 * Creates the decryption. `text` is a file of `age-keygen`, with one or more lines
 * `AGE-SECRET-KEY-1…`.
 */
export const createDecryption = async (text: string): Promise<Decryption> => {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  const identities = text.split("\n").flatMap((line) => (/^\s*(#|$)/.test(line) ? [] : [line.trim()]));
  if (identities.length === 0) throw invalidIdentityError();
  for (const identity of identities)
    try {
      decrypter.addIdentity(identity);
    } catch (cause) {
      throw invalidIdentityError(cause);
    }
  return {
    async decrypt(chunks) {
      try {
        return await decrypter.decrypt(toStream(chunks));
      } catch (cause) {
        throw new HearthError("backup.locked", "The backup is not encrypted for this identity.", {
          hint: "Give the file with the secret key of one of its recipients: --identity FILE",
          cause,
        });
      }
    },
  };
};

// The error names no part of the file, which is secret.
const invalidIdentityError = (cause?: unknown): HearthError =>
  new HearthError("backup.locked", "The identity file contains no secret key of age.", {
    hint: "Give the file that age-keygen wrote: --identity FILE",
    cause,
  });

/** Each chunk is copied, because its memory may be used again before the reader takes it. */
const toStream = (chunks: Chunks): ReadableStream<Uint8Array> => {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value.slice());
    },
    async cancel() {
      await iterator.return?.();
    },
  });
};
