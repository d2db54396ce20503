import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childrenOf, createHome, type Daemon, isAlive, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel, type Model } from "./model.ts";

/** Kinds of cells with walls whose processes run on the host. */
const KINDS = ["bubblewrap", "landlock"] as const;
const LINKS = 20_000;
const SECONDS = 20;

/**
 * A process that is hard to find: it has its own session and an empty environment, ignores signals
 * and forks repeatedly. If it is not killed, it ends after a while and writes "over".
 */
const CHAIN =
  `$SIG{$_} = "IGNORE" for "TERM", "HUP", "INT"; open(my $told, ">", "chain") or exit; my $until = time + ${SECONDS};
for (my $left = ${LINKS}; $left > 0 && time < $until; $left--) { syswrite $told, "."; my $child = fork; next unless defined $child; exit 0 if $child }
syswrite $told, "over"`.replaceAll("\n", " ");
const COMMAND = `env -i setsid perl -e '${CHAIN}' </dev/null >/dev/null 2>&1 & sleep 600 & echo >begun; wait`;

const runForEver = (model: Model): void => {
  model.answer = () => [{ tool: "shell", input: { command: COMMAND } }];
};

/** A process and its descendants. */
const processesBelow = async (pid: number): Promise<readonly number[]> => {
  const below = await Promise.all((await childrenOf(pid)).map(processesBelow));
  return [pid, ...below.flat()];
};

/** Starts a bot in a cell of this kind. Returns its workspace on the host. */
const begin = async (house: Daemon, kind: (typeof KINDS)[number]): Promise<string> => {
  const content = { name: kind, kind: "bot", model: "test/model", cell: kind, tools: ["shell"] };
  expect((await house.ask("POST", "/api/agents", { content })).status).toBe(201);
  const { id } = (await house.ask("POST", `/api/agents/${kind}/room`, {})).json;
  const workspace = join(house.home, "brains", kind, "workspace");
  await Bun.$`mkdir -p ${workspace} && mkfifo ${join(workspace, "chain")}`;
  await house.ask("POST", `/api/rooms/${id}/messages`, { text: "go" });
  await until(() => readdirSync(workspace).includes("begun"));
  return workspace;
};

/** Reads the output of a chain until its last process ends. */
const hear = (workspace: string) => {
  const reader = Bun.spawn(["cat", join(workspace, "chain")], { stdio: ["ignore", "pipe", "ignore"] }).stdout;
  const begun = Promise.withResolvers<void>();
  const all = (async (): Promise<string> => {
    let text = "";
    for await (const part of reader.pipeThrough(new TextDecoderStream())) {
      text += part;
      begun.resolve();
    }
    return text;
  })();
  return { begun: begun.promise, all };
};

test("when the daemon is killed, no process of its cells survives for long, even if it hides", async () => {
  await using model = createModel();
  using home = createHome();
  runForEver(model);
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const checks: readonly Json[] = (await house.ask("GET", "/api/doctor")).json;
  const here = KINDS.filter((kind) => checks.some(({ name, absent }) => name === `cell ${kind}` && absent !== true));
  const workspaces: string[] = [];
  for (const kind of here) workspaces.push(await begin(house, kind));
  const chains = workspaces.map(hear);
  for (const { begun } of chains) await begun;
  const [, ...cells] = await processesBelow(house.pid);
  // At least a cell, its inmate, a shell and the shell's command.
  expect(cells.length).toBeGreaterThanOrEqual(4 * here.length);

  await house.kill();
  for (const { all } of chains) expect((await all).endsWith("over")).toBe(false);
  await until(() => cells.every((pid) => !isAlive(pid)));
});
