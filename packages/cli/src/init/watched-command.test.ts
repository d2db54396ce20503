import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { createWatchedCommand } from "./watched-command.ts";

const lacks = Bun.which("curl") === null || process.platform === "win32";
const why = lacks ? " (needs curl)" : "";
const FAST = { everySeconds: 0.2, maxFailures: 3 };

let folder: string;
let urlFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-watched-"));
  urlFile = join(folder, "url");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A house that answers as the test decides. `undefined`: it accepts the request and never answers. */
const serve = () => {
  const state = { status: 200 as number | undefined, requests: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      expect(new URL(request.url).pathname).toBe("/healthz");
      state.requests += 1;
      return state.status === undefined ? new Promise<Response>(() => {}) : new Response("", { status: state.status });
    },
  });
  return { state, url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) };
};

const run = (command: readonly string[]) => {
  const child = Bun.spawn([...createWatchedCommand(urlFile, command, FAST)], {
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  return { child, err: () => new Response(child.stderr).text() };
};

test.skipIf(lacks)(`a house that no longer answers is killed, and the exit is a failure${why}`, async () => {
  await using house = serve();
  await writeFile(urlFile, house.url);
  const { child, err } = run(["sleep", "1000"]);
  await until(() => house.state.requests > 1);
  house.state.status = undefined;
  expect(await child.exited).toBe(128 + 9);
  expect(await err()).toContain("gives no answer");
});

test.skipIf(lacks)(`a house that has not answered yet, or answers again, is left alone${why}`, async () => {
  await using house = serve();
  house.state.status = 503;
  await writeFile(urlFile, house.url);
  const { child } = run(["sleep", "1000"]);
  await until(() => house.state.requests > 2 * FAST.maxFailures);
  house.state.status = 200;
  const known = house.state.requests;
  await until(() => house.state.requests > known + 1);
  house.state.status = 503;
  const failing = house.state.requests;
  await until(() => house.state.requests > failing);
  house.state.status = 200;
  const again = house.state.requests;
  await until(() => house.state.requests > again + FAST.maxFailures);
  expect(child.exitCode).toBeNull();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(128 + 15);
});

test("the exit code, the arguments and the output are those of the house, also without an address", async () => {
  const { child } = run(["sh", "-c", 'printf "%s|" "$@"; exit 7', "sh", "a b", "it's $HOME", ""]);
  expect(await new Response(child.stdout).text()).toBe("a b|it's $HOME||");
  expect(await child.exited).toBe(7);
});

test("a request to end is handled from before the house starts", () => {
  const [, , script = ""] = createWatchedCommand(urlFile, ["house"]);
  expect(script).toMatch(/trap '[^']+' TERM INT HUP; "\$@" & house=\$!; \[ -z "\$ended" \] \|\| kill -TERM \$house/);
});

test("a request to end reaches the house, which has time to stop", async () => {
  const { child } = run(["sh", "-c", 'trap "echo stopped; exit 0" TERM; echo ready; while :; do sleep 0.05; done']);
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe("ready\n");
  child.kill("SIGTERM");
  const rest = await reader.read();
  expect(new TextDecoder().decode(rest.value)).toBe("stopped\n");
  expect(await child.exited).toBe(0);
});
