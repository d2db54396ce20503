import { expect, test } from "bun:test";
import type { AgentId, RoomId } from "@hearth/protocol";
import { createWhyRouteClosed } from "./reply-routes.ts";
import { type ReplyRoute } from "../../kernel/outbox/reply-route.ts";

const way: ReplyRoute = { channel: "tele", conversation: "c1", sender: "s1", person: "agent_ana" as AgentId };
const room = "room_a" as RoomId;

const whyRouteClosed = (
  sender: { readonly state: string; readonly person: string } | undefined,
  there: string | undefined = room,
  channels: readonly string[] = ["tele"],
) =>
  createWhyRouteClosed({
    channels: { list: () => channels.map((name) => ({ name })) } as never,
    store: {
      select: async ({ table }: { table: string }) => {
        if (table === "senders") return sender === undefined ? [] : [sender];
        return there === undefined ? [] : [{ room: there }];
      },
    } as never,
  })(way, room);

test("a reply route is open while the channel admits its sender as the requesting person, in the same room", async () => {
  expect(await whyRouteClosed({ state: "allowed", person: way.person })).toBeUndefined();
});

test.each([
  ["a sender who is now another person", whyRouteClosed({ state: "allowed", person: "agent_bea" }), "no longer admits"],
  ["a sender who is blocked", whyRouteClosed({ state: "blocked", person: way.person }), "no longer admits"],
  ["a sender who is forgotten", whyRouteClosed(undefined), "no longer admits"],
  [
    "a conversation of another room",
    whyRouteClosed({ state: "allowed", person: way.person }, "room_b"),
    "another room",
  ],
  ["a channel that is gone", whyRouteClosed({ state: "allowed", person: way.person }, room, []), "no longer exists"],
])("%s gets nothing of what was asked for before", async (_name, why, words) => {
  expect(await why).toContain(words);
});
