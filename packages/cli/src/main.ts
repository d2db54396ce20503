/**
 * The entry of the `hearth` command: runs the precompiled program if it is current, and otherwise
 * the sources.
 */
import { findCompiled, ownFolders } from "./compiled/compiled.ts";

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
  const compiled = findCompiled(ownFolders);
  if (compiled === undefined) return readSources();
  try {
    return (await import(compiled)) as Awaited<ReturnType<typeof readSources>>;
  } catch {
    // Another process may have replaced the program in the meantime. No part of the command has run
    // yet, so the sources can run.
    return readSources();
  }
};

const { runCommandLine } = await read();
await runCommandLine();
