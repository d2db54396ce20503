/**
 * The entry of the `hearth` command: runs the precompiled program if it is current, and otherwise
 * the sources.
 */
import { findCompiled, ownFolders } from "./compiled/compiled.ts";

// The launcher starts in its own folder, so that Bun reads no settings from the user's folder.
const launchFolder = process.env["HEARTH_CWD"];
if (launchFolder !== undefined) {
  delete process.env["HEARTH_CWD"];
  try {
    process.chdir(launchFolder);
  } catch {
    // The folder may no longer exist. Only relative paths need it, and they report their own error.
  }
}

const loadSources = () => import("./command-line.ts");

const loadProgram = async (): ReturnType<typeof loadSources> => {
  const compiledPath = findCompiled(ownFolders);
  if (compiledPath === undefined) return loadSources();
  try {
    return (await import(compiledPath)) as Awaited<ReturnType<typeof loadSources>>;
  } catch {
    // Another process may have replaced the program in the meantime. No part of the command has run
    // yet, so the sources can run.
    return loadSources();
  }
};

const { runCommandLine } = await loadProgram();
await runCommandLine();
