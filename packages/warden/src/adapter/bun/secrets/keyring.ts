/**
 * The vault's key in the keyring of the system: of the desktop on Linux, by `secret-tool`, or of macOS, by `security`. It goes in and out
 * by pipes: no argument has it, which others on the machine could see.
 */
import { HearthError, type World } from "@hearth/protocol";
import { KEY_SIZE } from "../../../secrets/aead.ts";
import type { KeySource } from "../../../secrets/key-source.ts";

export interface KeyringOptions {
  readonly world: Pick<World, "random">;
  /** Tells the keys of two homes apart. */
  readonly home: string;
  /** The system, as Node names it. */
  readonly platform: string;
  /** Where its programs are looked for, and how it finds the person's session. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A keyring may ask the person to unlock it, and nobody may be there. */
const DEADLINE_MS = 20_000;

interface Ended {
  readonly code: number;
  readonly out: string;
}

export const createKeyringKeySource = (options: KeyringOptions): KeySource => {
  const { home, world } = options;
  const program = options.platform === "darwin" ? "security" : "secret-tool";
  const commands = options.platform === "darwin" ? macos(home) : linux(home);

  const run = async ({ words, input = "" }: Call): Promise<Ended> => {
    const path = Bun.which(program, { PATH: options.environment["PATH"] ?? "" });
    if (path === null) throw failed(`there is no ${program} here`);
    const child = Bun.spawn([path, ...words], {
      env: { ...options.environment },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "ignore",
      timeout: DEADLINE_MS,
      killSignal: "SIGKILL",
    });
    const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    if (child.signalCode !== null) throw failed(`${program} did not answer`);
    return { code, out };
  };

  const find = async (id: string): Promise<Uint8Array | undefined> => {
    const { code, out } = await run(commands.find(id));
    const text = out.trim();
    if (code === 0 && /^[0-9a-f]{64}$/.test(text)) return new Uint8Array(Buffer.from(text, "hex"));
    if (code === commands.missing && text === "") return undefined;
    throw failed(`${program} ended with ${code}`);
  };

  return {
    traits: { asksPassphrase: false },

    async make(id) {
      const key = world.random(KEY_SIZE);
      const { code } = await run(commands.put(id, Buffer.from(key).toString("hex")));
      // Some say that all is well and keep nothing.
      const kept = code === 0 ? await find(id) : undefined;
      if (kept === undefined || !Buffer.from(kept).equals(key)) throw failed(`${program} did not keep it`);
      return { key, about: "" };
    },

    find,

    async drop(id) {
      await run(commands.drop(id));
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
  /** What it ends with when there is no such key. */
  readonly missing: number;
}

const linux = (home: string): Commands => {
  const about = (id: string): readonly string[] => ["application", "hearth", "home", home, "id", id];
  return {
    put: (id, key) => ({ words: ["store", "--label=Hearth vault", ...about(id)], input: key }),
    find: (id) => ({ words: ["lookup", ...about(id)] }),
    drop: (id) => ({ words: ["clear", ...about(id)] }),
    missing: 1,
  };
};

/** `security` takes a password as an argument alone, unless it reads its commands from a pipe. */
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
    missing: 44,
  };
};

const failed = (why: string): HearthError =>
  new HearthError("secret.locked", `The keyring cannot be used: ${why}.`, {
    hint: "Unlock it, and see that Hearth runs in your session; on Linux install libsecret-tools. Or keep the key elsewhere: hearth secret key file",
  });
