/**
 * What is told in the chat platform's conversation behind a room when an agent waits for a word. All of the call, and a code to decide by, only where nobody
 * else reads along: in a conversation of two, with the very person who is asked.
 */
import type { AgentId, World } from "@hearth/protocol";
import { hashCode, newCode, readCode, showCode } from "../identity/pairing-code.ts";
import type { Choice } from "../channels/channel.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Store, Write } from "../store/store.ts";
import type { Ask } from "./effect.ts";
import { defang } from "./outgoing.ts";

export interface ApprovalNotices {
  /** For the commit that asks. */
  plan(about: AskedAbout): Promise<{ readonly codeHash: string | null; readonly writes: readonly Write[] }>;
  /** What is kept of a code. */
  hashOf(typed: string): string;
}

export interface AskedAbout {
  readonly id: string;
  readonly handle: string;
  readonly tool: string;
  readonly room: string;
  readonly person: AgentId | null;
  readonly asks: readonly Ask[];
  readonly display: string;
}

export const createApprovalNotices = (options: {
  readonly world: Pick<World, "hash" | "random">;
  readonly store: Pick<Store, "select">;
  readonly outbox: Pick<Outbox, "notice">;
}): ApprovalNotices => {
  const { world, store, outbox } = options;
  const hashOf: ApprovalNotices["hashOf"] = (typed) => world.hash(`approval ${hashCode(world.hash, readCode(typed))}`);

  /** Whom a conversation of two is with. */
  const isWith = async (channel: string, conversation: string, person: AgentId | null): Promise<boolean> => {
    if (person === null) return false;
    const written = await store.select({
      table: "inbound",
      where: { channel, conversation, fate: "accepted" },
      order: [{ column: "at", descending: true }],
      limit: 1,
    });
    const [sender] = await store.select({ table: "senders", where: { channel, external: written[0]?.sender ?? "" } });
    return sender?.state === "allowed" && sender.person === person;
  };

  return {
    hashOf,
    async plan({ id, handle, tool, room, person, asks, display }) {
      const [there] = await store.select({ table: "conversations", where: { room }, limit: 1 });
      if (there === undefined) return { codeHash: null, writes: [] };
      const { channel, conversation, kind } = there;
      const isPrivate = kind === "direct" && (await isWith(channel, conversation, person));
      const code = isPrivate ? showCode(newCode(world.random)) : undefined;
      const text = code === undefined ? inPublic(handle, tool) : inPrivate(handle, asks, display, code);
      return {
        codeHash: code === undefined ? null : hashOf(code),
        writes: await outbox.notice({
          ...{ channel, conversation, text, because: ["approval", id] },
          ...(code === undefined ? {} : { choices: choicesFor(code) }),
        }),
      };
    },
  };
};

/** The same words as those that are written. */
const choicesFor = (code: string): readonly Choice[] => [
  { label: "Allow once", word: `/allow ${code}` },
  { label: "Deny", word: `/deny ${code}` },
];

const inPublic = (handle: string, tool: string): string =>
  `@${handle} waits for a word about a call of ${tool}. Who decides in its house sees all of it with: hearth approval list`;

/** The call stands in a fence that no line of it can close. */
const inPrivate = (handle: string, asks: readonly Ask[], display: string, code: string): string => {
  const fence = "`".repeat(Math.max(3, ...Array.from(display.matchAll(/`+/g), ([ticks]) => ticks.length + 1)));
  return [
    `@${handle} asks before it does this:`,
    `${fence}\n${display}\n${fence}`,
    // The call itself stands as it is, where nothing makes a link of it.
    defang(asks.map(({ text }) => text).join("\n"), () => false),
    `To let it, write: /allow ${code}\nTo refuse: /deny ${code} and why`,
  ].join("\n\n");
};
