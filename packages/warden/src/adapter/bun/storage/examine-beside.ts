/** Checks the storage of a home in another process. */
import { fileURLToPath } from "node:url";
import { type Check, CheckList, HearthError } from "@hearth/protocol";

export const examineBeside = async (
  home: string,
  { quick = false, signal }: { readonly quick?: boolean; readonly signal?: AbortSignal } = {},
): Promise<readonly Check[]> => {
  const entry = fileURLToPath(new URL("examine-process.ts", import.meta.url));
  const child = Bun.spawn(
    [process.execPath, "--no-install", "--no-env-file", entry, home, ...(quick ? ["quick"] : [])],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe", env: {}, ...(signal === undefined ? {} : { signal }) },
  );
  const [text, problem, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return CheckList.parse(JSON.parse(text));
  throw new HearthError("store.unavailable", `The storage check ended with exit code ${code}: ${problem.slice(-500)}`, {
    hint: "Stop the house and check it again: hearth doctor --deep",
  });
};
