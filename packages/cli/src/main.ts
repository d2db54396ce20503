/** The `hearth` command: what was compiled ahead of these very sources, or else the sources. */
import { findCompiled, ourPlace } from "./compiled/compiled.ts";

// The launcher starts us in its own folder, so that the runtime reads no settings from wherever the person stands.
const from = process.env["HEARTH_CWD"];
if (from !== undefined) {
  delete process.env["HEARTH_CWD"];
  try {
    process.chdir(from);
  } catch {
    // It may be gone. Only relative paths would need it, and they say so.
  }
}

const readSources = () => import("./command-line.ts");

const read = async (): ReturnType<typeof readSources> => {
  const compiled = findCompiled(ourPlace);
  if (compiled === undefined) return readSources();
  try {
    return (await import(compiled)) as Awaited<ReturnType<typeof readSources>>;
  } catch {
    // Another process may make a newer one and remove this one right now. Reading has done nothing yet.
    return readSources();
  }
};

const { runCommandLine } = await read();
await runCommandLine();
