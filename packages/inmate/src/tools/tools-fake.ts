/** The cell's tools with files in memory, fake commands and a fake clock, for tests. */
import type { ActivationId, SessionId } from "@hearth/protocol";
import type { ToolOutcome } from "@hearth/protocol/tools";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { compileFakeGlob } from "./fake-glob.ts";
import { createFakeSpawn, type FakeCommand, type FakeSpawn } from "./fake-spawn.ts";
import type { SpawnRequest } from "./spawn.ts";
import { createTools } from "./index.ts";
import type { Machine } from "./machine.ts";
import { createMemoryFiles, type MemoryFiles } from "./memory-files.ts";
import { decodeText, encodeText } from "./text.ts";
import type { ReadDocument, ScalePicture } from "./tool.ts";

export interface FakeTools {
  readonly world: FakeWorld;
  readonly files: MemoryFiles;
  readonly spawn: FakeSpawn;
  run(
    name: string,
    input: unknown,
    options?: {
      readonly signal?: AbortSignal;
      readonly timeoutMs?: number;
      readonly activation?: ActivationId;
      readonly session?: SessionId;
      readonly environment?: Readonly<Record<string, string>>;
      readonly atRoot?: boolean;
      readonly again?: boolean;
    },
  ): Promise<ToolOutcome>;
  /** Ends the background commands of one activation, or of all. */
  stop(activation?: ActivationId): Promise<void>;
  /** Writes a file without a tool. */
  put(path: string, text: string): Promise<void>;
  get(path: string): Promise<string | undefined>;
}

const MIB = 1024 * 1024;
const MACHINE = {
  system: "Fake 1.0 x64",
  processors: 2,
  processor: "one of ours",
  memory: 1024 * MIB,
  freeMemory: 100.9 * MIB,
  disk: 2048 * MIB,
  freeDisk: 7 * MIB,
};
export const fakeMachine: Machine = { describe: async () => MACHINE };

/** The fields of a call besides `signal` and `timeoutMs`. */
export const FAKE_ATTEMPT = {
  key: "activation/0",
  again: false,
  atRoot: false,
  activation: "act_00000000000000000000000001" as ActivationId,
  session: "ses_00000000000000000000000001" as SessionId,
  environment: {},
};

export const createFakeTools = (
  play: (request: SpawnRequest) => FakeCommand = () => ({ output: "", code: 0 }),
  documents?: ReadDocument,
  pictures?: ScalePicture,
): FakeTools => {
  const world = createFakeWorld({ hash: () => "" });
  const files = createMemoryFiles({ now: world.clock.now });
  const spawn = createFakeSpawn(play);
  const tools = createTools({
    files,
    spawn,
    machine: fakeMachine,
    compileGlob: compileFakeGlob,
    clock: world.clock,
    workspace: "/workspace",
    ...(documents === undefined ? {} : { documents }),
    ...(pictures === undefined ? {} : { pictures }),
  });
  return {
    world,
    files,
    spawn,
    run: (name, input, { signal = new AbortController().signal, timeoutMs = 10_000, ...overrides } = {}) =>
      tools.run(name, input, { signal, timeoutMs, ...FAKE_ATTEMPT, ...overrides }),
    stop: tools.stop,
    put: async (path, text) => void (await files.write(path, encodeText(text))),
    get: async (path) => decodeText(await files.read(path, 1_000_000)),
  };
};
