/** Makes the executable of a platform: the runtime with the programs inside. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256, writeArchive } from "./archive.ts";
import { findRuntime, type Platform } from "./platforms.ts";
import { writeProgramFolder } from "./program-folder.ts";
import { copyThirdParty } from "./third-party.ts";

export interface ExecutableOptions {
  readonly root: string;
  readonly version: string;
  readonly platform: Platform;
  /** An existing folder for intermediate files. Its path leaves no trace in the result. */
  readonly scratch: string;
  readonly outfile: string;
}

const KEY_LENGTH = 16;
const ARCHIVE = "programs.tar.zst";
const ENTRY = `
import { startExecutable } from "./start.ts";
import archive from "./${ARCHIVE}" with { type: "file" };
startExecutable(archive);
`;

export const buildExecutable = async ({ root, version, platform, scratch, outfile }: ExecutableOptions) => {
  const runtime = await findRuntime(root, platform);
  const programs = join(scratch, `programs-${platform.name}`);
  await mkdir(programs, { recursive: true });
  await writeProgramFolder(root, programs);
  await copyThirdParty(root, programs, platform);
  const entry = join(scratch, `entry-${platform.name}`);
  await cp(join(root, "scripts/release/executable"), entry, { recursive: true });
  await writeFile(join(entry, "entry.ts"), ENTRY);
  const archive = join(entry, ARCHIVE);
  await writeArchive(programs, archive);
  const key = `${version}-${(await sha256(archive)).slice(0, KEY_LENGTH)}`;
  await compile({ root, runtime, entry, outfile, version, key, platform });
  await rm(programs, { recursive: true });
  await rm(entry, { recursive: true });
};

interface Compilation {
  readonly root: string;
  readonly runtime: string;
  readonly entry: string;
  readonly outfile: string;
  readonly version: string;
  readonly key: string;
  readonly platform: Platform;
}

/** In a separate process, whose working folder is the entry's: names in the executable are relative to it. */
const compile = async ({ root, runtime, entry, outfile, version, key, platform }: Compilation): Promise<void> => {
  const child = Bun.spawn(
    [
      ...[process.execPath, "build", "--compile", "entry.ts", `--outfile=${outfile}`],
      ...[`--target=bun-${platform.name}`, `--compile-executable-path=${runtime}`],
      ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig", "--minify"],
      ...[`--define=HEARTH_VERSION=${JSON.stringify(version)}`, `--define=HEARTH_KEY=${JSON.stringify(key)}`],
    ],
    {
      cwd: entry,
      env: Object.assign({}, process.env, { NODE_PATH: join(root, "node_modules") }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [words, why, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`The executable for ${platform.name} does not build: ${(why || words).trim()}`);
};
