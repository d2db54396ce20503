/** Where the key lies that all secrets of a home are sealed with. It knows no secret and no store. */
import type { KeySourceKind, World } from "@hearth/protocol";
import { KEY_SIZE } from "./aead.ts";

export interface MadeKey {
  readonly key: Uint8Array;
  /** What it takes to find it again, beside the secrets and no secret itself. */
  readonly about: string;
}

/**
 * Contract, checked by `keySourceConformance`:
 * - what `make` made is what `find` finds, for the same id and `about` (and passphrase), also by another instance
 * - two ids are two keys; of an id that was never made, or was dropped, nothing is found; where a passphrase makes the key, any finds one
 * - nothing in `about`, or in a failure, tells of the key or the passphrase
 * - what cannot be asked or kept throws `secret.locked`, which says what to do
 */
export interface KeySource {
  readonly traits: {
    /** A person has to say something, at each start too. */
    readonly asksPassphrase: boolean;
  };
  make(id: string, passphrase?: string): Promise<MadeKey>;
  find(id: string, about: string, passphrase?: string): Promise<Uint8Array | undefined>;
  /** Dropping what is not there is no failure. */
  drop(id: string): Promise<void>;
}

export type KeySources = Readonly<Record<KeySourceKind, KeySource>>;

/** Keys in memory. */
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

/** Keys of passphrases, by a digest that is quick: for tests. */
export const createFakePassphraseSource = ({ random, hash }: Pick<World, "random" | "hash">): KeySource => {
  const toKey = (about: string, passphrase = ""): Uint8Array =>
    Uint8Array.from({ length: KEY_SIZE }, (_, index) =>
      Number.parseInt(hash(`${about} ${passphrase}`).slice(index * 2, index * 2 + 2), 16),
    );
  return {
    traits: { asksPassphrase: true },
    async make(_id, passphrase) {
      const about = [...random(8)].join(".");
      return { key: toKey(about, passphrase), about };
    },
    find: async (_id, about, passphrase) => toKey(about, passphrase),
    drop: async () => {},
  };
};
