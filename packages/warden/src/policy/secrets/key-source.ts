/**
 * The interface of a place for the key that seals all secrets of a home. It does not depend on
 * secrets or the store.
 */
import type { KeySourceKind, World } from "@hearth/protocol";
import { KEY_SIZE } from "./aead.ts";

export interface CreatedKey {
  readonly key: Uint8Array;
  /** Data with which the key is found again, stored beside the secrets. It is not secret. */
  readonly about: string;
}

/**
 * Contract, checked by `keySourceConformance`:
 * - `find` returns what `make` made, for the same id and `about` (and passphrase), also in another
 *   instance
 * - two ids have two keys; an id that was never made or was dropped has none, except that a
 *   passphrase source derives a key for any id
 * - neither `about` nor an error reveals the key or the passphrase
 * - a key that cannot be read or stored throws `secret.locked`, which says what to do
 */
export interface KeySource {
  readonly traits: {
    /** Whether a person has to enter a passphrase, also at each start. */
    readonly asksPassphrase: boolean;
  };
  make(id: string, passphrase?: string): Promise<CreatedKey>;
  find(id: string, about: string, passphrase?: string): Promise<Uint8Array | undefined>;
  /** Removes the key. A missing key is not an error. */
  drop(id: string): Promise<void>;
}

export type KeySources = Readonly<Record<KeySourceKind, KeySource>>;

/** Creates a source that keeps keys in memory. */
export const createMemoryKeySource = ({ random }: Pick<World, "random">): KeySource => {
  const keys = new Map<string, Uint8Array>();
  return {
    traits: { asksPassphrase: false },
    async make(id) {
      const key = random(KEY_SIZE);
      keys.set(id, key);
      return { key: key.slice(), about: "" };
    },
    find: async (id) => keys.get(id)?.slice(),
    async drop(id) {
      keys.delete(id);
    },
  };
};
