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
      planNotice: async (notice: { text: string }) => {
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
  ["a direct conversation with an unknown sender", { kind: "direct", person: null }, ANA],
  ["a direct conversation, if no particular person is asked", { kind: "direct", person: ANA }, null],
  ["a direct conversation with an unpaired sender, if no person is asked", { kind: "direct", person: null }, null],
  ["a group", { kind: "group", person: ANA }, ANA],
] as const)("%s is shown neither the call nor a code", async (_name, there, asked) => {
  expect(await plan(there, asked)).toEqual(NOT_SHOWN);
});

test("an end is reported in the conversation that has the code, and in no other", async () => {
  const told: unknown[] = [];
  const notices = createApprovalNotices({
    world: createFakeWorld({ hash: createBunWorld().hash }),
    store: { select: async () => [{ channel: "tele", conversation: "c1", kind: "direct" }] as never },
    records: { find: async () => ({ content: { name: "Ana" } }) as never },
    outbox: { planChoicesEnd: async (end: unknown) => (told.push(end), []) } as never,
  });
  const row = { id: "apr_1", room: "room_a" };
  const textOf = async (end: Parameters<typeof notices.planEnd>[1], code_hash: string | null = "0") => {
    told.length = 0;
    await notices.planEnd({ ...row, code_hash } as never, end);
    return (told as { readonly text: string }[]).map(({ text }) => text);
  };
  expect(await textOf({ state: "denied", by: ANA }, null)).toEqual([]);
  expect(await textOf({ state: "denied", by: ANA })).toEqual(["Denied by Ana."]);
  expect(await textOf({ state: "allowed", scope: "once", by: ANA })).toEqual(["Allowed by Ana, once."]);
  expect(await textOf({ state: "allowed", scope: "session", by: ANA })).toEqual(["Allowed by Ana, for this session."]);
  expect(await textOf({ state: "allowed", scope: "rule", by: ANA })).toEqual(["Allowed by Ana, as a rule."]);
  expect(await textOf({ state: "allowed", scope: "once", by: ANA, isByCode: true })).toEqual(["Allowed, once."]);
  expect(await textOf({ state: "denied", by: ANA, isByCode: true })).toEqual(["Denied."]);
  expect(await textOf({ state: "expired" })).toEqual(["The request was not answered in time."]);
  expect(await textOf({ state: "expired", reason: "It asked another." })).toEqual([
    "The request is no longer pending.",
  ]);
});

test("a link in what is asked about is not active in the notice", async () => {
  const texts: string[] = [];
  const notices = createApprovalNotices({
    world: createFakeWorld({ hash: createBunWorld().hash }),
    store: {
      select: async ({ table }: { table: string }) =>
        (table === "conversations"
          ? [{ channel: "tele", conversation: "c1", kind: "direct" }]
          : [{ sender: "s1", person: ANA, state: "allowed" }]) as never,
    } as never,
    records: { find: async () => undefined },
    outbox: { planNotice: async ({ text }: { text: string }) => (texts.push(text), []) } as never,
  });
  await notices.plan({
    ...{ id: "apr_1", handle: "main", tool: "shell", room: "room_a", person: ANA, display: "ls" },
    asks: [{ stage: "labels", text: "A page at https://evil.example/x named it.", fields: [] }],
  });
  expect(texts.length).toBe(1);
  expect(texts[0]).not.toContain("https://evil.example");
});
