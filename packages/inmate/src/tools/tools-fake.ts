/** The tools in a world that a test owns: files in memory, commands that are played, time that stands. */
import type { ToolOutcome } from "@hearth/protocol/tools";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { createFakeSpawn, type FakeCommand, type FakeSpawn } from "./fake-spawn.ts";
import type { SpawnRequest } from "./spawn.ts";
import { createTools } from "./index.ts";
import { createMemoryFiles, type MemoryFiles } from "./memory-files.ts";
import { decodeText, encodeText } from "./text.ts";

export interface FakeTools {
  readonly world: FakeWorld;
  readonly files: MemoryFiles;
  readonly spawn: FakeSpawn;
  run(
    name: string,
    input: unknown,
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<ToolOutcome>;
  /** Puts a file there, behind the tools' back. */
  put(path: string, text: string): Promise<void>;
  get(path: string): Promise<string | undefined>;
}

export const createFakeTools = (
  play: (request: SpawnRequest) => FakeCommand = () => ({ output: "", code: 0 }),
): FakeTools => {
  const world = createFakeWorld({ hash: () => "" });
  const files = createMemoryFiles({ now: world.clock.now });
  const spawn = createFakeSpawn(play);
  const tools = createTools({ files, spawn, clock: world.clock, workspace: "/workspace" });
  return {
    world,
    files,
    spawn,
    run: (name, input, { signal = new AbortController().signal, timeoutMs = 10_000 } = {}) =>
      tools.run(name, input, signal, timeoutMs),
    put: async (path, text) => void (await files.write(path, encodeText(text))),
    get: async (path) => decodeText(await files.read(path, 1_000_000)),
  };
};
