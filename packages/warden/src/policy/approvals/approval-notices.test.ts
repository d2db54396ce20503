import { expect, test } from "bun:test";
import type { AgentId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createApprovalNotices } from "./approval-notices.ts";

const ANA = "agent_ana" as AgentId;

/** A conversation and the person who last wrote in it. */
const plan = async (
  there: { kind: "direct" | "group"; person: string | null; state?: string },
  asked: AgentId | null,
) => {
  const notices: { readonly text: string; readonly choices?: unknown }[] = [];
  const store = {
    select: async ({ table }: { table: string }) => {
      if (table === "conversations") return [{ channel: "tele", conversation: "c1", kind: there.kind }];
      if (table === "inbound") return [{ sender: "s1" }];
      return [{ person: there.person, state: there.state ?? "allowed" }];
    },
  };
  const made = await createApprovalNotices({
    world: createFakeWorld({ hash: createBunWorld().hash }),
    store: store as never,
    records: { find: async () => undefined },
    outbox: {
      notice: async (notice: { text: string }) => {
        notices.push(notice);
        return [];
      },
    } as never,
  }).plan({
    ...{ id: "apr_1", handle: "main", tool: "shell", room: "room_a", person: asked },
    ...{ asks: [{ text: "a call" }] as never, display: "rm -rf secret-folder" },
  });
  const [notice] = notices;
  return {
    hasCode: made.codeHash !== null,
    isShown: notice?.text.includes("secret-folder") === true,
    hasChoices: notice?.choices !== undefined,
  };
};

const SHOWN = { hasCode: true, isShown: true, hasChoices: true };
const NOT_SHOWN = { hasCode: false, isShown: false, hasChoices: false };

test("the call and its code are shown in the direct conversation with the asked person", async () => {
  expect(await plan({ kind: "direct", person: ANA }, ANA)).toEqual(SHOWN);
});

test.each([
  ["a direct conversation with another person", { kind: "direct", person: "agent_bea" }, ANA],
  ["a direct conversation with a sender who is blocked", { kind: "direct", person: ANA, state: "blocked" }, ANA],
  ["a direct conversation with nobody known", { kind: "direct", person: null }, ANA],
  ["a direct conversation, where nobody in particular is asked", { kind: "direct", person: ANA }, null],
  ["a group", { kind: "group", person: ANA }, ANA],
] as const)("%s is shown neither the call nor a code", async (_name, there, asked) => {
  expect(await plan(there, asked)).toEqual(NOT_SHOWN);
});
