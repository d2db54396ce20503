/** The key of the vault while the house runs: found at the start, made with the first secret, and never written down here. */
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
  /** What stands in the environment. The first secret of a home makes the vault's key of it, if there is something. */
  readonly passphrase: () => string | undefined;
  /** Asks a person at the start, when what stands there does not open it. Absent: nobody is there. */
  readonly ask?: (attempt: number) => Promise<string | undefined>;
}

export interface NewVaultKey {
  readonly key: VaultKey;
  readonly row: Row<"vault_keys">;
  /** Takes it back: it was not committed. */
  undo(): Promise<void>;
}

export interface VaultKeys {
  status(): VaultStatus;
  /** Throws `secret.locked`; undefined where there is none yet. */
  current(): VaultKey | undefined;
  make(kind: KeySourceKind, passphrase: string | undefined): Promise<NewVaultKey>;
  /** Of a home that has none yet. */
  makeFirst(): Promise<NewVaultKey>;
  /** The new one is committed: what was made of the old one is forgotten. */
  use(made: NewVaultKey): Promise<void>;
  /** There is none any more, and nothing that it was for. */
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

  const find = async ({ id, about, proof, source: kind }: Row<"vault_keys">): Promise<void> => {
    const source = Object.hasOwn(sources, kind) ? sources[kind as KeySourceKind] : undefined;
    if (source === undefined)
      return lock("file", `nobody here knows a key of kind "${kind}"`, "Use the Hearth that made it.");
    const opens = async (passphrase?: string): Promise<"open" | "gone" | "wrong"> => {
      const key = await source.find(id, about, passphrase);
      if (key === undefined) return "gone";
      if (!(await envelopes.isProof(proof, { id, key }))) return "wrong";
      current = { key: { id, key }, source };
      status = { state: "open", source: kind as KeySourceKind };
      return "open";
    };
    if (!source.traits.asksPassphrase) {
      const found = await opens();
      if (found === "open") return;
      return lock(
        kind as KeySourceKind,
        found === "gone" ? "its key is gone" : "its key is another one",
        `Put the key back where it was (${WHERE[kind as KeySourceKind]}), and start it again. Without it nobody can read these secrets: remove them, and set them anew.`,
      );
    }
    let tried = 0;
    for await (const passphrase of passphrases(options)) {
      if ((await opens(passphrase)) === "open") return;
      tried += 1;
    }
    lock(
      kind as KeySourceKind,
      tried === 0 ? "the passphrase was not given" : "the passphrase is wrong",
      "Start it with the passphrase in HEARTH_PASSPHRASE, or at a terminal, where it is asked for.",
    );
  };

  if (row !== undefined) {
    try {
      await find(row);
    } catch (error) {
      if (!isHearthError(error, "secret.locked")) throw error;
      lock(row.source as KeySourceKind, error.message.replace(/\.$/, ""), error.hint ?? "");
    }
  }

  /** What it was for is done: where it cannot be removed it is of no use to anybody. */
  const drop = async (old: typeof current): Promise<void> => {
    try {
      await old?.source.drop(old.key.id);
    } catch (error) {
      options.log.write("warn", "an old key of the vault could not be removed", { key: old?.key.id, error });
    }
  };

  const make: VaultKeys["make"] = async (kind, passphrase) => {
    const source = sources[kind];
    if (source.traits.asksPassphrase) checkPassphrase(passphrase);
    const id = Array.from(world.random(ID_SIZE), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const { key, about } = await source.make(id, passphrase);
    const made: VaultKey = { id, key };
    return {
      key: made,
      row: {
        ...{ id, source: kind, about, revision: 0, created_at: world.clock.now() },
        proof: await envelopes.prove(made),
      },
      undo: () => source.drop(id),
    };
  };

  return {
    status: () => status,

    current() {
      if (status.state === "locked") throw locked(status);
      return current?.key;
    },

    make,

    async makeFirst() {
      const passphrase = options.passphrase();
      return make(passphrase === undefined ? "file" : "passphrase", passphrase);
    },

    async use({ key, row: { source } }) {
      const old = current;
      const kind = source as KeySourceKind;
      current = { key, source: sources[kind] };
      status = { state: "open", source: kind };
      await drop(old);
    },

    async forget() {
      const old = current;
      current = undefined;
      status = { state: "empty" };
      await drop(old);
    },
  };
};

/** How often a person may be wrong at a start. */
const MAX_ASKED = 3;

async function* passphrases({ passphrase, ask }: Pick<VaultKeyOptions, "passphrase" | "ask">): AsyncGenerator<string> {
  const said = passphrase();
  if (said !== undefined) yield said;
  for (let attempt = 0; ask !== undefined && attempt < MAX_ASKED; attempt += 1) {
    const answer = await ask(attempt);
    if (answer === undefined || answer === "") return;
    yield answer;
  }
}

const MIN_PASSPHRASE = 10;

/** Throws `secret.invalid`. */
export const checkPassphrase = (passphrase: string | undefined): void => {
  if (passphrase !== undefined && passphrase.length >= MIN_PASSPHRASE) return;
  throw new HearthError("secret.invalid", `A passphrase has at least ${MIN_PASSPHRASE} characters.`, {
    hint: "Several words are easy to keep in mind.",
  });
};

const WHERE: Readonly<Record<KeySourceKind, string>> = {
  file: "the folder vault/ of the home",
  passphrase: "your memory",
  keyring: "the keyring of whoever runs Hearth",
};

export const locked = ({ why, fix }: Extract<VaultStatus, { state: "locked" }>): HearthError =>
  new HearthError("secret.locked", `The vault is locked: ${why}.`, { hint: fix });
