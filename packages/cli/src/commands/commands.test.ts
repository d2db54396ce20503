/** Requests and output that concern more than one command, against a fake house. */
import { describe, expect, test } from "bun:test";
import { AgentId } from "@hearth/protocol";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;

describe("names", () => {
  const gone = `agent_${"9".repeat(26)}`;

  test("a key shows its agent's handle, or the id when the agent is deleted", async () => {
    const key = { id: `key_${"0".repeat(26)}`, name: "laptop", createdAt: 1 };
    own.house.answer("GET /api/keys", [
      { ...key, agent: own.house.main.id },
      { ...key, agent: gone },
    ]);
    const { out } = await hearth("key", "list");
    expect(out).toContain("laptop  @main ");
    expect(out).toContain(`laptop  ${gone}  `);
  });

  test("a deleted member of a room is shown as deleted", async () => {
    own.house.addRoom({ name: "Den", kind: "group", members: [own.house.main.id, AgentId.parse(gone)] });
    expect((await hearth("room", "list")).out).toContain("  Main, (gone)");
    expect((await hearth("room", "show", "den")).out).toContain("members  Main, (gone)\n");
  });
});

test("login prints a new link and its lifetime", async () => {
  const link = { url: "http://127.0.0.1:1/login?code=abc", expiresAt: 1_000_000 + 600_000 };
  own.house.answer("POST /api/login-links", link);
  expect(await hearth("login")).toEqual({
    code: 0,
    out: `${link.url}\n`,
    err: "The link works once, within 10 min.\n",
  });
  expect(await json("login")).toEqual(link);
});
