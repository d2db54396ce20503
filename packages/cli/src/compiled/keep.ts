/** Has the command compiled ahead when its sources are others than those it was made of: after the start, so that only the next one gains. */
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Clock } from "@hearth/protocol";
import { findCompiled, type Place } from "./compiled.ts";

const BUILD = fileURLToPath(new URL("build.ts", import.meta.url));
/** A house that was just started has better things to do, and one that was started to look at something is gone by then. */
const REST_MS = 20_000;
const LEAST = 19;

/** Runs until it is done or `signal` ends it. Never rejects: where nothing can be compiled the sources run, as well and a little later. */
export const keepCompiled = async (place: Place, sleep: Clock["sleep"], signal: AbortSignal): Promise<void> => {
  try {
    await sleep(REST_MS, signal);
    if (findCompiled(place) !== undefined) return;
    const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", BUILD, place.root, place.folder], {
      cwd: place.root,
      env: { PATH: "/usr/bin:/bin", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      signal,
    });
    setPriority(child.pid, LEAST);
    await child.exited;
  } catch {
    // The house ends, or this machine cannot: nobody waits for it.
  }
};
