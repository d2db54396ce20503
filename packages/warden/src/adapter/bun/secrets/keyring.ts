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
  /** The environment of the keyring programs: PATH, and the variables of the desktop session. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A keyring may ask the user to unlock it, and the user may be absent. */
const TIMEOUT_MS = 20_000;

interface ProgramResult {
  readonly code: number;
  readonly out: string;
  readonly errorOutput: string;
}

export const createKeyringKeySource = (options: KeyringOptions): KeySource => {
  const { home, world } = options;
  const program = options.platform === "darwin" ? "security" : "secret-tool";
  const commands = options.platform === "darwin" ? macos(home) : linux(home);

  const run = async ({ args, input = "" }: Call): Promise<ProgramResult> => {
    const path = Bun.which(program, { PATH: options.environment["PATH"] ?? "" });
    if (path === null) throw failedError(`${program} is not installed`);
    const child = Bun.spawn([path, ...args], {
      env: { ...options.environment },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
    const [out = "", errorOutput = ""] = await Promise.all(texts);
    const code = await child.exited;
    if (child.signalCode !== null) throw failedError(`${program} did not answer`);
    return { code, out: out.trim(), errorOutput: errorOutput.trim() };
  };
  /** Describes why the program failed: the last line of its error output, or else its exit code. */
  const describe = ({ code, errorOutput }: ProgramResult): string =>
    errorOutput.split("\n").at(-1) || `${program} ended with ${code}`;

  const find = async (id: string): Promise<Uint8Array | undefined> => {
    const result = await run(commands.find(id));
    if (result.code === 0 && /^[0-9a-f]{64}$/.test(result.out)) return new Uint8Array(Buffer.from(result.out, "hex"));
    if (!commands.isMissing(result)) throw failedError(describe(result));
    if (await exists(id)) throw failedError("it is locked");
    return undefined;
  };

  /** Whether the keyring has the key although it returned none, because it is locked. */
  const exists = async (id: string): Promise<boolean> => {
    if (commands.search === undefined) return false;
    const result = await run(commands.search(id));
    if (result.code !== 0) throw failedError(describe(result));
    return result.out !== "";
  };

  return {
    traits: { asksPassphrase: false },

    async make(id) {
      const key = world.random(KEY_SIZE);
      const result = await run(commands.put(id, Buffer.from(key).toString("hex")));
      if (result.code !== 0) throw failedError(describe(result));
      // Some keyrings report success and store nothing.
      const storedKey = await find(id);
      if (storedKey === undefined || !Buffer.from(storedKey).equals(key))
        throw failedError(`${program} reported success but did not store the key`);
      return { key, about: "" };
    },

    find,

    async drop(id) {
      const result = await run(commands.drop(id));
      if (result.code === 0) return;
      if (!commands.isMissing(result)) throw failedError(describe(result));
      // On Linux, `clear` fails in the same way for a missing key and for a locked keyring.
      if (await exists(id)) throw failedError("it is locked");
    },
  };
};

interface Call {
  readonly args: readonly string[];
  readonly input?: string;
}

interface Commands {
  put(id: string, key: string): Call;
  find(id: string): Call;
  drop(id: string): Call;
  /** Whether the result means "no such key". A locked keyring on Linux gives the same result. */
  isMissing(result: ProgramResult): boolean;
  /**
   * Prints something when the key exists, even if it cannot be read. It is absent if `isMissing`
   * already distinguishes a missing key from a locked keyring.
   */
  search?(id: string): Call;
}

const linux = (home: string): Commands => {
  const attributesOf = (id: string): readonly string[] => ["application", "hearth", "home", home, "id", id];
  return {
    put: (id, key) => ({ args: ["store", "--label=Hearth vault", ...attributesOf(id)], input: key }),
    find: (id) => ({ args: ["lookup", ...attributesOf(id)] }),
    drop: (id) => ({ args: ["clear", ...attributesOf(id)] }),
    isMissing: ({ code, out, errorOutput }) => code === 1 && out === "" && errorOutput === "",
    search: (id) => ({ args: ["search", ...attributesOf(id)] }),
  };
};

/**
 * `security` accepts a password only as an argument. With `-i` it reads the whole command from its
 * standard input, where other users cannot see it.
 */
const macos = (home: string): Commands => {
  const attributesOf = (id: string): readonly string[] => ["-s", "hearth-vault", "-a", `${id}:${home}`];
  const quote = (word: string): string => `"${word.replace(/[\\"]/g, "\\$&")}"`;
  return {
    put: (id, key) => ({
      args: ["-i"],
      input: `add-generic-password -U ${attributesOf(id).map(quote).join(" ")} -w ${key}\n`,
    }),
    find: (id) => ({ args: ["find-generic-password", ...attributesOf(id), "-w"] }),
    drop: (id) => ({ args: ["delete-generic-password", ...attributesOf(id)] }),
    isMissing: ({ code, out }) => code === 44 && out === "",
  };
};

const failedError = (why: string): HearthError =>
  new HearthError("secret.locked", `The keyring cannot be used: ${why}.`, {
    hint: "Unlock it, and start Hearth again in your desktop session; on Linux install libsecret-tools. Or store the key in a file: hearth secret key file",
  });
