/** Runs programs of the system as child processes. */
import type { Programs } from "./init-system.ts";

const NOT_FOUND = 127;

export const createPrograms = (): Programs => ({
  async run(argv) {
    const [program = ""] = argv;
    if (Bun.which(program) === null) return { code: NOT_FOUND, out: "", err: `${program} is not installed` };
    const child = Bun.spawn([...argv], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, out, err };
  },
});
