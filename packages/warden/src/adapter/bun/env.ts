/** The only module that reads the environment. All others receive values as arguments. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Returns a variable. An empty one counts as unset. */
export const environment = (name: string): string | undefined => process.env[name] || undefined;

/** Returns the variables whose names match. */
export const environmentOf = (names: RegExp): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));

/** Returns the absolute path of the home folder: `$HEARTH_HOME`, or otherwise `~/.hearth`. */
export const home = (): string => resolve(environment("HEARTH_HOME") ?? join(homedir(), ".hearth"));
