/**
 * Holds the vault's key while the daemon runs. It is read at the start, created with the first
 * secret, and never logged.
 */
import type { Log, Store, Row } from "../../kernel/index.ts";
import { HearthError, type KeySourceKind, type VaultStatus, isHearthError, type World } from "@hearth/protocol";
import type { Envelopes, VaultKey } from "./envelope.ts";
import type { KeySource, KeySources } from "./key-source.ts";

export interface VaultKeyOptions {
  readonly world: Pick<World, "clock" | "random">;
  readonly log: Log;
  readonly store: Pick<Store, "select">;
  readonly sources: KeySources;
  readonly envelopes: Envelopes;
  /**
   * Returns the passphrase from the environment. If there is one, the first secret of a home
   * derives the vault's key from it.
   */
  readonly passphrase: () => string | undefined;
  /**
   * Asks a person at the start if that passphrase does not open the vault. Absent without a
   * terminal.
   */
  readonly ask?: (attempt: number) => Promise<string | undefined>;
}

export interface NewVaultKey {
  readonly key: VaultKey;
  readonly row: Row<"vault_keys">;
  /** Undoes a new key that was not committed. */
  undo(): Promise<void>;
}

export interface VaultKeys {
  status(): VaultStatus;
  /** Returns the key, or undefined if there is no key yet. Throws `secret.locked`. */
  current(): VaultKey | undefined;
  make(kind: KeySourceKind, passphrase: string | undefined): Promise<NewVaultKey>;
  /** Creates the key of a home that has none. */
  makeFirst(): Promise<NewVaultKey>;
  /** Uses the new key, which is committed, and removes the old one. */
  use(newKey: NewVaultKey): Promise<void>;
  /** Removes the key. Called after the last secret was removed. */
  forget(): Promise<void>;
}

const ID_SIZE = 8;

export const openVaultKeys = async (options: VaultKeyOptions): Promise<VaultKeys> => {
  const { world, sources, envelopes } = options;
  const [row] = await options.store.select({ table: "vault_keys" });
  let status: VaultStatus = { state: "empty" };
  let current: { readonly key: VaultKey; readonly source: KeySource } | undefined;

  const lock = (source: KeySourceKind, why: string, fix: string): void => {
    status = { state: "locked", source, why, fix };
  };

  const unlock = async ({ id, about, proof, source: kind }: Row<"vault_keys">): Promise<void> => {
    const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined;
    if (source === undefined)
      return lock(
        "file",
        `this version has no key source of kind "${kind}"`,
        "Use the version of Hearth that created it.",
      );
    const tryKey = async (passphrase?: string): Promise<"open" | "gone" | "wrong"> => {
      const key = await source.find(id, about, passphrase);
      if (key === undefined) return "gone";
      if (!(await envelopes.isProof(proof, { id, key }))) return "wrong";
      current = { key: { id, key }, source };
      status = { state: "open", source: kind };
      return "open";
    };
    if (!source.traits.asksPassphrase) {
      const result = await tryKey();
      if (result === "open") return;
      return lock(
        kind,
        result === "gone" ? "its key is missing" : "its key is a different one",
        `Put the key back (${KEY_PLACES[kind]}), and start the daemon again. Without the key, these secrets cannot be read: remove them and set them again.`,
      );
    }
    let attempts = 0;
    for await (const passphrase of passphrases(options)) {
      if ((await tryKey(passphrase)) === "open") return;
      attempts += 1;
    }
    lock(
      kind,
      attempts === 0 ? "no passphrase was given" : "the passphrase is wrong",
      "Start the daemon with the passphrase in HEARTH_PASSPHRASE, or at a terminal, where it asks for it.",
    );
  };

  if (row !== undefined) {
    try {
      await unlock(row);
    } catch (error) {
      if (!isHearthError(error, "secret.locked")) throw error;
      lock(row.source, error.message.replace(/\.$/, ""), error.hint ?? "");
    }
  }

  /**
   * Removes the old key. If the removal fails, the old key remains, but it no longer opens the
   * vault.
   */
  const removeOldKey = async (oldKey: typeof current): Promise<void> => {
    try {
      await oldKey?.source.drop(oldKey.key.id);
    } catch (error) {
      options.log.write("warn", "cannot remove an old key of the vault", { key: oldKey?.key.id, error });
    }
  };

  const make: VaultKeys["make"] = async (kind, passphrase) => {
    const source = sources[kind];
    if (source.traits.asksPassphrase) checkPassphrase(passphrase);
    const id = world.random(ID_SIZE).toHex();
    const { key, about } = await source.make(id, passphrase);
    const newKey: VaultKey = { id, key };
    return {
      key: newKey,
      row: {
        id,
        source: kind,
        about,
        revision: 0,
        created_at: world.clock.now(),
        proof: await envelopes.prove(newKey),
      },
      undo: () => source.drop(id),
    };
  };

  return {
    status: () => status,

    current() {
      if (status.state === "locked") throw vaultLockedError(status);
      return current?.key;
    },

    make,

    async makeFirst() {
      const passphrase = options.passphrase();
      return make(passphrase === undefined ? "file" : "passphrase", passphrase);
    },

    async use({ key, row: { source: kind } }) {
      const oldKey = current;
      current = { key, source: sources[kind] };
      status = { state: "open", source: kind };
      await removeOldKey(oldKey);
    },

    async forget() {
      const oldKey = current;
      current = undefined;
      status = { state: "empty" };
      await removeOldKey(oldKey);
    },
  };
};

/** Maximum number of attempts at the passphrase per start. */
const MAX_ATTEMPTS = 3;

async function* passphrases({ passphrase, ask }: VaultKeyOptions): AsyncGenerator<string> {
  const candidate = passphrase();
  if (candidate !== undefined) yield candidate;
  for (let attempt = 0; ask !== undefined && attempt < MAX_ATTEMPTS; attempt += 1) {
    const answer = await ask(attempt);
    if (answer === undefined || answer === "") return;
    yield answer;
  }
}

const MIN_PASSPHRASE_LENGTH = 10;

/** Checks a passphrase. Throws `secret.invalid`. */
export const checkPassphrase = (passphrase: string | undefined): void => {
  if (passphrase !== undefined && passphrase.length >= MIN_PASSPHRASE_LENGTH) return;
  throw new HearthError(
    "secret.invalid",
    `The passphrase is too short: it needs at least ${MIN_PASSPHRASE_LENGTH} characters.`,
    {
      hint: "Use several words, which are easy to remember.",
    },
  );
};

const KEY_PLACES: Readonly<Record<KeySourceKind, string>> = {
  file: "the folder vault/ of the home",
  passphrase: "your memory",
  keyring: "the keyring of the user who runs Hearth",
};

export const vaultLockedError = ({ why, fix }: Extract<VaultStatus, { state: "locked" }>): HearthError =>
  new HearthError("secret.locked", `The vault is locked: ${why}.`, { hint: fix });
