/** Vault keys that outlive the daemons. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { createTestSecretParts, hash, type SecretParts } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Life } from "./life.ts";

const TAG_SIZE = 16;

/** Synchronous AES-256-GCM. The platform's runs on another thread, which is not reproducible. */
const aead: SecretParts["aead"] = {
  async seal(key, nonce, plain, about) {
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  },
  async open(key, nonce, box, about) {
    const at = box.length - TAG_SIZE;
    const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
    try {
      return Buffer.concat([decipher.setAuthTag(box.subarray(at)).update(box.subarray(0, at)), decipher.final()]);
    } catch {
      return undefined;
    }
  },
};

export interface VaultKeys {
  /** The key sources as one daemon reaches them. */
  partsOf(life: Life): SecretParts;
}

export const createVaultKeys = (chance: Chance): VaultKeys => {
  const { sources } = createTestSecretParts({ hash, random: (length) => chance.bytes(length) });
  return {
    partsOf(life) {
      const living = (source: (typeof sources)["file"]): (typeof sources)["file"] => ({
        traits: source.traits,
        make: (id, passphrase) => life.cross("key.make", () => source.make(id, passphrase)),
        find: (id, about, passphrase) => (life.isDead() ? new Promise(() => {}) : source.find(id, about, passphrase)),
        drop: (id) => life.cross("key.drop", () => source.drop(id)),
      });
      return {
        ...createTestSecretParts(life.world),
        aead,
        sources: {
          file: living(sources.file),
          keyring: living(sources.keyring),
          passphrase: living(sources.passphrase),
        },
      };
    },
  };
};
