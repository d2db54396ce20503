/** A program that some tests need and the checkout does not bring: found, or brought by apt-get where that is possible. */

export interface ProgramOptions {
  /** As a person says it. */
  readonly name: string;
  /** What it may be called on the disk, best first. */
  readonly commands: readonly string[];
  /** Debian's name of it. */
  readonly package: string;
  /** What it is brought for, and how long that takes. */
  readonly why: string;
}

/** Its path, or why there is none. Says what it does while that takes time. */
export const getProgram = (
  { name, commands, package: wanted, why }: ProgramOptions,
  say: (text: string) => void,
): { readonly path: string } | { readonly why: string } => {
  const find = (): string | undefined =>
    commands.map((command) => Bun.which(command)).find((path) => path !== null) ?? undefined;
  const found = find();
  if (found !== undefined) return { path: found };
  if (Bun.which("apt-get") === null) return { why: `${name} is not installed, and there is no apt-get to bring it` };
  if (process.getuid?.() !== 0) return { why: `${name} is not installed: sudo apt-get install ${wanted}` };
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
  return path === undefined ? { why: `${name} was installed and is not there` } : { path };
};

/** The browser that the browser tests run in. */
export const chromium: ProgramOptions = {
  name: "Chromium",
  commands: ["chromium", "chromium-browser", "google-chrome"],
  package: "chromium",
  why: "the browser tests, about a minute",
};

/** What shows the tests of power cuts in which order the daemon asks the system for things. */
export const strace: ProgramOptions = {
  name: "strace",
  commands: ["strace"],
  package: "strace",
  why: "the tests of power cuts, a few seconds",
};

/** What most cells with walls are made by. */
export const bubblewrap: ProgramOptions = {
  name: "bubblewrap",
  commands: ["bwrap"],
  package: "bubblewrap",
  why: "the tests of cells with walls, a minute",
};
