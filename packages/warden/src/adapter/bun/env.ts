/** The only module that reads the environment. All others receive values as arguments. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** An empty variable counts as unset. */
export const environment = (name: string): string | undefined => process.env[name] || undefined;

/** Absolute path of the home folder: `$HEARTH_HOME`, else `~/.hearth`. */
export const home = (): string => resolve(environment("HEARTH_HOME") ?? join(homedir(), ".hearth"));
