/**
 * Measures an install from a copy of the tracked files with the launcher's own setup: duration and
 * disk size.
 */
import { copyFile, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Bench, Figure } from "./bench.ts";
import { sharedNow } from "./clock.ts";
import { startChild } from "./child.ts";
import { measureRelease } from "./releases.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { sizeOf } from "./sizes.ts";

const kinds = [
  { kind: "run", what: "without development tools" },
  { kind: "dev", what: "with development tools" },
] as const;

export const install: Bench = {
  name: "install",
  about: "time and size of the launcher's own install from a warm npm cache; size and start of a release",
  async run(site) {
    const files = await trackedFiles(site);
    if (typeof files === "string") return [{ what: "install", skipped: files }];
    await using folder = await temporaryFolder(site);
    await copyFiles(site.root, folder.path, files);

    site.say("install: warming npm's cache");
    await setUp(site, folder.path, "dev");
    const figures: Figure[] = [];
    for (const { kind, what } of kinds) {
      await rm(join(folder.path, "node_modules"), { recursive: true, force: true });
      site.say(`install: ${what}`);
      const seconds = await setUp(site, folder.path, kind);
      const note = "npm ci of the launcher, warm cache";
      figures.push({ what: `${what}: time`, value: seconds, unit: "s", samples: 1, note });
      figures.push({
        what: `${what}: size`,
        value: await sizeOf(join(folder.path, "node_modules")),
        unit: "MiB",
        samples: 1,
        note: "du of node_modules",
      });
    }
    await using releases = await temporaryFolder(site);
    return [...figures, ...(await measureRelease(site, releases.path))];
  },
};

/** Returns the tracked files, or the reason why they are unknown. */
export const trackedFiles = async (site: Site): Promise<readonly string[] | string> => {
  if (Bun.which("git") === null) return "needs git";
  const listing = Bun.spawn(["git", "ls-files", "-z"], { cwd: site.root, stdout: "pipe", stderr: "ignore" });
  const text = await new Response(listing.stdout).text();
  return (await listing.exited) === 0 ? text.split("\0").filter((path) => path !== "") : "needs a git checkout";
};

export const copyFiles = async (from: string, to: string, files: readonly string[]): Promise<void> => {
  for (const file of files) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await copyFile(join(from, file), join(to, file));
  }
};

/** Runs the setup that `./hearth` does before its first start. Returns seconds. */
const setUp = async (site: Site, folder: string, kind: "run" | "dev"): Promise<number> => {
  const beganMs = sharedNow();
  await using child = startChild(site, {
    command: ["sh", "-c", `. ./scripts/setup.sh && hearth_setup ${kind} && echo "set up"`],
    cwd: folder,
  });
  await child.line("set up");
  return (sharedNow() - beganMs) / 1000;
};
