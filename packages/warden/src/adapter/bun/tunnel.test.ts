import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { tunnelProgramsConformance } from "../../http/tunnel/tunnel-parts.conformance.ts";
import { createRunProgram } from "./tunnel.ts";

const PATH = "/usr/bin:/bin";
const run = createRunProgram(() => ({ PATH }));

tunnelProgramsConformance("real ones", () => ({
  run,
  talkingCommand: ["sh", "-c", "echo one; echo two >&2; exit 3"],
  endlessCommand: ["sleep", "1000"],
}));

test("the end of the last line is not needed, and a long line is cut", async () => {
  const lines: string[] = [];
  const never = new AbortController().signal;
  await run(["sh", "-c", "head -c 30000 /dev/zero | tr '\\0' x; printf '\\nlast'"], (line) => lines.push(line), never);
  expect(lines.map(({ length }) => length)).toEqual([10_000, 4]);
});

test("a program that ignores the request to end is killed", async () => {
  const over = new AbortController();
  const ended = run(
    ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"],
    () => over.abort(),
    over.signal,
  );
  await ended;
  expect(over.signal.aborted).toBe(true);
});

test("a program gets the variables that it needs, and none of the house's keys", async () => {
  const { environmentOf } = await import("./env.ts");
  process.env["HEARTH_TEST_API_KEY"] = "a-key";
  try {
    const lines: string[] = [];
    await createRunProgram(environmentOf)(["env"], (line) => lines.push(line), new AbortController().signal);
    expect(lines.some((line) => line.startsWith("PATH="))).toBe(true);
    expect(lines.join("\n")).not.toContain("a-key");
  } finally {
    delete process.env["HEARTH_TEST_API_KEY"];
  }
});

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("the program ends when the house is killed", async () => {
  const house = Bun.spawn(
    [
      process.execPath,
      "-e",
      `import { createRunProgram } from ${JSON.stringify(`${import.meta.dir}/tunnel.ts`)};
       createRunProgram(() => ({ PATH: ${JSON.stringify(PATH)} }))(["sh", "-c", "echo $$; exec sleep 1000"], (line) => console.log(line), new AbortController().signal);`,
    ],
    { stdout: "pipe", stderr: "inherit" },
  );
  const reader = house.stdout.getReader();
  const { value } = await reader.read();
  const pid = Number(new TextDecoder().decode(value));
  expect(isRunning(pid)).toBe(true);
  house.kill("SIGKILL");
  await house.exited;
  await until(() => !isRunning(pid));
});
