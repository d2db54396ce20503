/** Finds the programs of this machine that a cell's machine needs. */
import { HearthError } from "@hearth/protocol";

/** The programs, as absolute paths. */
export interface Tools {
  readonly qemu: string;
  /** QEMU's version text. A template works only with the same version. */
  readonly version: string;
  readonly setpriv: string;
  readonly mke2fs: string;
}

/** Debian puts some of the programs in directories that only root's PATH has. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const neededPrograms = [
  { name: "qemu", command: "qemu-system-x86_64", debianPackage: "qemu-system-x86" },
  { name: "mke2fs", command: "mke2fs", debianPackage: "e2fsprogs" },
  { name: "setpriv", command: "setpriv", debianPackage: "util-linux" },
] as const;

/** Finds the programs. Throws `cell.unavailable` with the names of all missing programs. */
export const findTools = async (): Promise<Tools> => {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw missingError(`cells in a virtual machine need Linux on x64; this is ${process.platform} on ${process.arch}`);
  const paths = neededPrograms.map(({ command }) => Bun.which(command, { PATH }));
  const missingPrograms = neededPrograms.filter((_, index) => paths[index] === null);
  if (missingPrograms.length > 0) {
    const commands = missingPrograms.map(({ command }) => command).join(", ");
    throw missingError(
      `${commands} not found: apt-get install ${missingPrograms.map(({ debianPackage }) => debianPackage).join(" ")}`,
    );
  }
  const [qemu, mke2fs, setpriv] = paths as [string, string, string];
  const child = Bun.spawn([qemu, "--version"], { env: {}, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const [version = ""] = (await new Response(child.stdout).text()).split("\n");
  if ((await child.exited) !== 0) throw missingError(`${qemu} does not run`);
  return { qemu, mke2fs, setpriv, version };
};

const missingError = (subject: string): HearthError =>
  new HearthError("cell.unavailable", subject, { hint: "Run: hearth doctor" });
