/**
 * A turn in a virtual machine: the real daemon, a cell of kind `qemu`, its tools and its network
 * access.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childrenOf, createHome, isAlive, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";
import { startCounter } from "./upstream.ts";

/** Emulation on a busy machine. */
const LIMIT_MS = 300_000;
const image = join(import.meta.dir, "../../node_modules/.hearth-vm/image/root.img");
const reason =
  Bun.which("qemu-system-x86_64") === null
    ? " (QEMU is not installed)"
    : existsSync(image)
      ? undefined
      : " (no image: sh scripts/build-rootfs.sh)";

test.skipIf(reason !== undefined)(
  `an agent works in a machine: it writes, runs, reaches what it is granted, and its work is in its brain${reason ?? ""}`,
  async () => {
    using home = createHome();
    await using model = createModel();
    await using counter = await startCounter("from outside\n");
    const url = `http://127.0.0.1:${counter.port}/v1`;
    writeFileSync(
      join(home.folder, "hearth.toml"),
      `${configFor(model.baseUrl)}cell = "qemu"\ntools = ["shell", "write", "read"]\n[egress]\nloopback = true\n`,
    );
    await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
    const granted = { content: { egress: [{ host: "127.0.0.1", port: counter.port, methods: ["GET"], path: "/v1" }] } };
    expect((await house.ask("PATCH", "/api/agents/main", granted)).status).toBe(200);

    const calls: readonly { readonly tool: string; readonly input: Json }[] = [
      { tool: "write", input: { path: "plan.md", content: "milk\n" } },
      {
        tool: "shell",
        input: { command: `uname -r; id -un; cat plan.md; echo bread >>plan.md; curl -sS ${url}`, timeoutSeconds: 100 },
      },
      { tool: "read", input: { path: "plan.md" } },
    ];
    const results: string[] = [];
    model.answer = ({ messages }) => {
      const said = messages.filter(({ role }: Json) => role === "tool").map(({ content }: Json) => content);
      results.splice(0, results.length, ...said);
      return [calls[said.length] ?? "done"];
    };
    const chat = await house.hearth("chat", "main", "-m", "go");
    expect(chat).toMatchObject({ code: 0, stdout: expect.stringContaining("done") });
    expect(results[1]).toContain("cloud-amd64\nagent\nmilk\nfrom outside");
    expect(results[1]).not.toContain(readFileSync("/proc/sys/kernel/osrelease", "utf8").trim());
    expect(results[2]).toContain("bread");
    expect(counter.counts.sent).toBeGreaterThan("from outside\n".length);
    expect(readFileSync(join(home.folder, "brains/main/workspace/plan.md"), "utf8")).toBe("milk\nbread\n");

    const machines = await childrenOf(house.pid);
    expect(machines.length).toBeGreaterThan(0);
    expect((await house.stop()).code).toBe(0);
    await until(() => machines.every((pid) => !isAlive(pid)));
  },
  LIMIT_MS,
);
