/**
 * Stores the vault's key in the system's keyring: on Linux with `secret-tool`, on macOS with
 * `security`. The key passes through pipes and is never an argument, because other users of the
 * machine can see arguments.
 */
import { HearthError, type World } from "@hearth/protocol";
import { KEY_SIZE } from "../../../policy/secrets/aead.ts";
import type { KeySource } from "../../../policy/secrets/key-source.ts";

export interface KeyringOptions {
  readonly world: Pick<World, "random">;
  /** Distinguishes the keys of two homes. */
  readonly home: string;
  /** The platform, as Node names it. */
  readonly platform: string;
  /** Where its programs are found, and the user's session. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A keyring may ask the user to unlock it, and the user may be absent. */
const DEADLINE_MS = 20_000;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly complaint: string;
}

export const createKeyringKeySource = (options: KeyringOptions): KeySource => {
  const { home, world } = options;
  const program = options.platform === "darwin" ? "security" : "secret-tool";
  const commands = options.platform === "darwin" ? macos(home) : linux(home);

  const run = async ({ words, input = "" }: Call): Promise<Ended> => {
    const path = Bun.which(program, { PATH: options.environment["PATH"] ?? "" });
    if (path === null) throw failed(`${program} is not installed`);
    const child = Bun.spawn([path, ...words], {
      env: { ...options.environment },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
      timeout: DEADLINE_MS,
      killSignal: "SIGKILL",
    });
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
    const [out = "", complaint = ""] = await Promise.all(texts);
    const code = await child.exited;
    if (child.signalCode !== null) throw failed(`${program} did not answer`);
    return { code, out: out.trim(), complaint: complaint.trim() };
  };
  /** The last line of its error output, if any. */
  const describe = ({ code, complaint }: Ended): string =>
    complaint.split("\n").at(-1) || `${program} ended with ${code}`;

  const find = async (id: string): Promise<Uint8Array | undefined> => {
    const found = await run(commands.find(id));
    if (found.code === 0 && /^[0-9a-f]{64}$/.test(found.out)) return new Uint8Array(Buffer.from(found.out, "hex"));
    if (!commands.isMissing(found)) throw failed(describe(found));
    if (await isKept(id)) throw failed("it is locked");
    return undefined;
  };

  /** Whether a keyring that returned no key has the key nevertheless. */
  const isKept = async (id: string): Promise<boolean> => {
    if (commands.search === undefined) return false;
    const found = await run(commands.search(id));
    if (found.code !== 0) throw failed(describe(found));
    return found.out !== "";
  };

  return {
    traits: { asksPassphrase: false },

    async make(id) {
      const key = world.random(KEY_SIZE);
      const put = await run(commands.put(id, Buffer.from(key).toString("hex")));
      if (put.code !== 0) throw failed(describe(put));
      // Some report success and store nothing.
      const storedKey = await find(id);
      if (storedKey === undefined || !Buffer.from(storedKey).equals(key)) throw failed(`${program} did not keep it`);
      return { key, about: "" };
    },

    find,

    async drop(id) {
      const dropped = await run(commands.drop(id));
      if (dropped.code === 0) return;
      if (!commands.isMissing(dropped)) throw failed(describe(dropped));
      // A locked keyring gives the same result as a missing key.
      if (await isKept(id)) throw failed("it is locked");
    },
  };
};

interface Call {
  readonly words: readonly string[];
  readonly input?: string;
}

interface Commands {
  put(id: string, key: string): Call;
  find(id: string): Call;
  drop(id: string): Call;
  /** Whether it has no such key, or refuses to return it. */
  isMissing(found: Ended): boolean;
  /**
   * Prints something when the key exists, even if it cannot be read. Absent when `isMissing` can
   * distinguish the two.
   */
  search?(id: string): Call;
}

const linux = (home: string): Commands => {
  const about = (id: string): readonly string[] => ["application", "hearth", "home", home, "id", id];
  return {
    put: (id, key) => ({ words: ["store", "--label=Hearth vault", ...about(id)], input: key }),
    find: (id) => ({ words: ["lookup", ...about(id)] }),
    drop: (id) => ({ words: ["clear", ...about(id)] }),
    isMissing: ({ code, out, complaint }) => code === 1 && out === "" && complaint === "",
    search: (id) => ({ words: ["search", ...about(id)] }),
  };
};

/** `security` takes a password only as an argument, unless it reads its commands from a pipe. */
const macos = (home: string): Commands => {
  const about = (id: string): readonly string[] => ["-s", "hearth-vault", "-a", `${id}:${home}`];
  const quote = (word: string): string => `"${word.replace(/[\\"]/g, "\\$&")}"`;
  return {
    put: (id, key) => ({
      words: ["-i"],
      input: `add-generic-password -U ${about(id).map(quote).join(" ")} -w ${key}\n`,
    }),
    find: (id) => ({ words: ["find-generic-password", ...about(id), "-w"] }),
    drop: (id) => ({ words: ["delete-generic-password", ...about(id)] }),
    isMissing: ({ code, out }) => code === 44 && out === "",
  };
};

const failed = (why: string): HearthError =>
  new HearthError("secret.locked", `The keyring cannot be used: ${why}.`, {
    hint: "Unlock it, and start Hearth again in your session; on Linux install libsecret-tools. Or store the key in a file: hearth secret key file",
  });
