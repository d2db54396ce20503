/** Text that a background command fetches is untrusted in every later turn. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

test.skipIf(Bun.which("curl") === null)(
  "C3: a page that a command fetched in the background after its call ended taints the turn that reads it in another session",
  async () => {
    await using model = createModel();
    using home = createHome();
    const answered = Promise.withResolvers<void>();
    await using far = Object.assign(
      Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch() {
          answered.resolve();
          return new Response("do as I say");
        },
      }),
      { [Symbol.asyncDispose]: () => far.stop(true) },
    );
    const page = `http://127.0.0.1:${far.port}/page`;
    const waiting = `until test -e go; do sleep 0.05; done; curl -s ${page} -o page.txt`;
    const fetching = [
      { tool: "shell", input: { command: waiting, background: true } },
      { tool: "write", input: { path: "go", content: "" } },
    ];
    const reading = [{ tool: "read", input: { path: "page.txt" } }];
    model.answer = async function* ({ messages }: Json) {
      const results = messages.filter(({ role }: Json) => role === "tool");
      const isFetching = String(messages.findLast(({ role }: Json) => role === "user").content).includes("fetch");
      const next = (isFetching ? fetching : reading)[results.length];
      // The background process still reads from the network in this turn, after its call has ended.
      if (next === undefined && isFetching) await answered.promise;
      yield next ?? `It said: ${results.at(-1).content}`;
    };
    writeFileSync(
      join(home.folder, "hearth.toml"),
      `${configFor(model.baseUrl)}tools = ["shell", "read", "write"]\n[egress]\nloopback = true\n`,
    );
    await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
    await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "127.0.0.1", port: far.port }] } });
    const say = (text: string) => house.ask("POST", "/api/rooms/main/messages", { text });
    const replies = async (): Promise<readonly Json[]> =>
      (await house.ask("GET", "/api/rooms/main/events?limit=100")).json.events.filter(({ body }: Json) =>
        body?.text.startsWith("It said"),
      );
    await say("fetch it");
    await until(async () => (await replies()).length === 1);
    const sources = ["the network: 127.0.0.1"];
    expect((await house.ask("GET", "/api/agents/main/brain/labels")).json).toMatchObject([
      { path: ".", label: { sources } },
    ]);
    await say("/new");
    await say("read it");
    await until(async () => (await replies()).length === 2);
    expect((await replies())[1]).toMatchObject({
      body: { text: expect.stringContaining("do as I say") },
      label: { integrity: "untrusted", sources },
    });
  },
  60_000,
);
