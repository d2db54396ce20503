/** Runs a program of this repository to its end. */
import type { Site } from "../site.ts";

/** Returns the value that the program prints as JSON. Throws if the program fails. */
export const runProgram = async (site: Site, path: string, words: readonly string[]): Promise<unknown> => {
  const command = [process.execPath, "--no-install", "--no-env-file", path, ...words];
  const child = Bun.spawn(command, { cwd: site.root, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const end = site.own(async () => {
    child.kill();
    await child.exited;
  });
  try {
    const output = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(`${path} exited with ${child.exitCode}.`);
    return JSON.parse(output);
  } finally {
    await end();
  }
};
