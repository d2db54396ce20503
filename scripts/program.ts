/** Finds a program that some tests need, or installs it with apt-get. */

export interface ProgramOptions {
  /** Display name. */
  readonly name: string;
  /** Possible commands, best first. */
  readonly commands: readonly string[];
  /** Name of the Debian package. */
  readonly package: string;
  /** Purpose and duration of the installation, for the progress message. */
  readonly why: string;
}

/**
 * Returns the program's path, or the reason why it is missing. Reports progress while installing.
 */
export const getProgram = (
  { name, commands, package: wanted, why }: ProgramOptions,
  say: (text: string) => void,
): { readonly path: string } | { readonly why: string } => {
  const find = (): string | undefined =>
    commands.map((command) => Bun.which(command)).find((path) => path !== null) ?? undefined;
  const found = find();
  if (found !== undefined) return { path: found };
  if (Bun.which("apt-get") === null) return { why: `${name} is not installed, and apt-get is not available` };
  if (process.getuid?.() !== 0) return { why: `${name} is not installed. Run: sudo apt-get install ${wanted}` };
  say(`Installing ${name} for ${why} ...`);
  for (const words of [
    ["update", "-q"],
    ["install", "-yq", "--no-install-recommends", wanted],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync(["apt-get", ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    if (exitCode !== 0) {
      const [line] = stderr.toString().trim().split("\n").slice(-1);
      return { why: `${name} could not be installed (apt-get ${words[0]}: ${line ?? exitCode})` };
    }
  }
  const path = find();
  return path === undefined ? { why: `${name} was installed, but its command was not found` } : { path };
};

/** Runs the browser tests. The shell without a screen needs half the processor time of the whole browser. */
export const chromium: ProgramOptions = {
  name: "Chromium",
  commands: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
  package: "chromium-headless-shell",
  why: "the browser tests, about a minute",
};

/** Traces system calls for the power-cut tests. */
export const strace: ProgramOptions = {
  name: "strace",
  commands: ["strace"],
  package: "strace",
  why: "the tests of power cuts, a few seconds",
};

/** Creates most cells that have walls. */
export const bubblewrap: ProgramOptions = {
  name: "bubblewrap",
  commands: ["bwrap"],
  package: "bubblewrap",
  why: "the tests of cells with walls, about a minute",
};
