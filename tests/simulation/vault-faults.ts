/** Keys of the vault that outlive daemons, and what people know of their secrets. */
import { createTestSecretParts, hash, type SecretParts } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Life } from "./life.ts";

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
        sources: {
          file: living(sources.file),
          keyring: living(sources.keyring),
          passphrase: living(sources.passphrase),
        },
      };
    },
  };
};
