/**
 * The entry of the `hearth` command: runs the precompiled program if it is current, else the
 * sources.
 */
import { findCompiled, ourPlace } from "./compiled/compiled.ts";

// The launcher starts in its own folder, so that Bun reads no settings from the user's folder.
const from = process.env["HEARTH_CWD"];
if (from !== undefined) {
  delete process.env["HEARTH_CWD"];
  try {
    process.chdir(from);
  } catch {
    // The folder may no longer exist. Only relative paths need it, and they report their own error.
  }
}

const readSources = () => import("./command-line.ts");

const read = async (): ReturnType<typeof readSources> => {
  const compiled = findCompiled(ourPlace);
  if (compiled === undefined) return readSources();
  try {
    return (await import(compiled)) as Awaited<ReturnType<typeof readSources>>;
  } catch {
    // Another process may have replaced and removed it meanwhile. Nothing has run yet.
    return readSources();
  }
};

const { runCommandLine } = await read();
await runCommandLine();
