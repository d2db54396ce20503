/** Tests a start in a separate process, which has loaded no modules yet. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LATE = ["../../http/app.ts", "../../turns/run/activation-run.ts"].map((path) => join(import.meta.dir, path));

/** Reports which modules were loaded when the house was ready, and exits when all of them are. */
const PROGRAM = `
  const { startHouse } = await import(${JSON.stringify(join(import.meta.dir, "main.ts"))});
  const late = ${JSON.stringify(LATE)};
  const isRead = (path) => Object.hasOwn(require.cache, path);
  const house = await startHouse({ home: process.argv.at(-1), port: 0, announce() {} });
  console.log(JSON.stringify(late.filter(isRead)));
  const { until } = await import(${JSON.stringify(Bun.resolveSync("@hearth/protocol/until", import.meta.dir))});
  await until(() => late.every(isRead));
  await house.stop();
`;

test("modules for requests and activations are loaded after the house is ready and before the first request", async () => {
  const home = mkdtempSync(join(tmpdir(), "hearth-start-"));
  try {
    const command = [process.execPath, "--no-install", "--no-env-file", "-e", PROGRAM, home];
    await using child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect({ out, err, code: child.exitCode }).toEqual({ out: "[]\n", err: "", code: 0 });
  } finally {
    rmSync(home, { recursive: true });
  }
});
