/** Recompiles the command in the background after a start, if its sources have changed. */
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Clock } from "@hearth/protocol";
import { findCompiled, type CompileFolders } from "./compiled.ts";

const BUILD_PROGRAM = fileURLToPath(new URL("build.ts", import.meta.url));
/** Delay before compiling: a new house is busy, and a short-lived one needs no compilation. */
const DELAY_MS = 20_000;
const LOWEST_PRIORITY = 19;

/** Compiles if necessary. Never rejects, because the sources run without a compiled program, only slower. */
export const recompileIfStale = async (
  folders: CompileFolders,
  sleep: Clock["sleep"],
  signal: AbortSignal,
): Promise<void> => {
  try {
    await sleep(DELAY_MS, signal);
    if (findCompiled(folders) !== undefined) return;
    const flags = ["--no-install", "--no-env-file"];
    const child = Bun.spawn([process.execPath, ...flags, BUILD_PROGRAM, folders.root, folders.folder], {
      cwd: folders.root,
      env: { PATH: "/usr/bin:/bin", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      signal,
    });
    setPriority(child.pid, LOWEST_PRIORITY);
    await child.exited;
  } catch {
    // The house is stopping, or the compilation failed. The next start then runs the sources.
  }
};
