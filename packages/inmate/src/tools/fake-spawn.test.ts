import { expect, test } from "bun:test";
import { createFakeSpawn, type FakeCommand } from "./fake-spawn.ts";
import { spawnConformance } from "./spawn.conformance.ts";

const toArgv = (command: FakeCommand): readonly string[] => [JSON.stringify(command)];

spawnConformance("fake", async () => ({
  spawn: createFakeSpawn((request) => JSON.parse(request.argv[0] ?? "") as FakeCommand),
  cwd: "/workspace",
  ending: (output, code) => toArgv({ output, code }),
  killed: (signal) => toArgv({ output: "", signal }),
  writingFd3: (output, fd3) => toArgv({ output, fd3: fd3, code: 0 }),
  hanging: (output) => toArgv({ output, hangs: true }),
  whenWritten: () => Promise.resolve(),
  [Symbol.asyncDispose]: async () => undefined,
}));

test("the fake records its requests", async () => {
  const spawn = createFakeSpawn(() => ({ output: "", code: 0 }));
  const request = { argv: ["a", "b"], cwd: "/w", env: { A: "1" }, maxOutputSize: 10 };
  await spawn.run(request, new AbortController().signal);
  expect(spawn.requests).toEqual([request]);
});
