/** The folder of programs and files that every kind of installation has: what a house runs, and nothing else. */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "./run.ts";

const KEPT = [
  /^(?:LICENSE|package\.json)$/,
  /^docs\/verify-audit\.py$/,
  /^(?:starter|rootfs)\//,
  /^packages\/(?:cli|client|documents|inmate|memory|protocol|ui|warden)\/(?:package\.json$|src\/)/,
];
const FOR_TESTS = /\.(?:test|conformance)\.tsx?$|\/(?:fixtures|fakes)\/|\/fake-[^/]+\.tsx?$|-fake\.tsx?$/;
const USES_TEST_RUNNER = /from "bun:test"/;

/** The tracked files of the checkout that belong into the folder, sorted. */
export const programFiles = async (root: string): Promise<readonly string[]> => {
  const git = Bun.spawn(["git", "ls-files", "-z"], { cwd: root, stdout: "pipe", stderr: "pipe" });
  const [text, why, code] = await Promise.all([git.stdout.text(), git.stderr.text(), git.exited]);
  if (code !== 0)
    throw new Error(`git cannot list the files of ${root}: ${why.trim()}. Make releases in a git checkout.`);
  return text
    .split("\0")
    .filter((path) => KEPT.some((kept) => kept.test(path)) && !FOR_TESTS.test(path))
    .sort();
};

/** Writes our own files into a new folder, with the UI built. */
export const writeProgramFolder = async (root: string, folder: string): Promise<void> => {
  for (const path of await programFiles(root)) {
    if (path.endsWith(".ts") && USES_TEST_RUNNER.test(await readFile(join(root, path), "utf8"))) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(join(root, path), join(folder, path));
  }
  await writeFile(join(folder, "tsconfig.json"), `${JSON.stringify(await pathsOfPackages(root), null, 2)}\n`);
  const buildUi = join(root, "packages/ui/src/adapter/bun/release.ts");
  await run([process.execPath, "--no-install", "--no-env-file", buildUi, folder], root);
};

/**
 * Archives and npm packages do not keep the links in `node_modules/@hearth`, so the runtime finds
 * the packages by these paths.
 */
const pathsOfPackages = async (root: string) => {
  const paths: Record<string, readonly string[]> = {};
  for (const name of ["cli", "client", "documents", "inmate", "memory", "protocol", "ui", "warden"]) {
    const { exports } = JSON.parse(await readFile(join(root, "packages", name, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, string>>;
    };
    for (const [entry, file] of Object.entries(exports)) {
      if (FOR_TESTS.test(join("packages", name, file))) continue;
      paths[join(`@hearth/${name}`, entry)] = [`./${join("packages", name, file)}`];
    }
  }
  return { compilerOptions: { paths } };
};
