/**
 * What is told in the chat platform's conversation behind a room when an agent waits for a word. All of the call, and a code to decide by, only where nobody
 * else reads along: in a conversation of two, with the very person who is asked.
 */
import { hashCode, newCode, readCode, showCode, type Records } from "../../people/index.ts";
import type { Choice, Outbox, Store, Write, Row } from "../../kernel/index.ts";
import type { AgentId, ApprovalScope, World } from "@hearth/protocol";
import type { Ask } from "../effect.ts";
import { defang } from "../text/outgoing.ts";

export interface ApprovalNotices {
  /** For the commit that asks. */
  plan(about: AskedAbout): Promise<{ readonly codeHash: string | null; readonly writes: readonly Write[] }>;
  /** For the commit that ends it: where it was asked with choices those go, and what became of it stands in their place. */
  planEnd(asked: Row<"approvals">, end: ApprovalEnd): Promise<readonly Write[]>;
  /** What is kept of a code. */
  hashOf(typed: string): string;
}

/** How an approval stops being pending. */
export interface ApprovalEnd {
  readonly state: "allowed" | "denied" | "expired";
  readonly scope?: ApprovalScope;
  readonly by?: AgentId;
  readonly reason?: string | undefined;
  /** It was said in the conversation itself, and answered there with the same words. */
  readonly isSpoken?: boolean;
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
  readonly records: Pick<Records, "find">;
  readonly outbox: Pick<Outbox, "notice" | "endChoices">;
}): ApprovalNotices => {
  const { world, store, records, outbox } = options;
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
          ...{ channel, conversation, text, because: becauseOf(id) },
          ...(code === undefined ? {} : { choices: choicesFor(code) }),
        }),
      };
    },

    async planEnd({ id, room, code_hash }, end) {
      if (code_hash === null) return [];
      const name = end.by === undefined ? "" : ((await records.find("agent", end.by))?.content.name ?? "somebody");
      const there = await store.select({ table: "conversations", where: { room } });
      const text = inPlace(end, name);
      const planned = there.map(({ channel, conversation }) =>
        outbox.endChoices({ channel, conversation, because: becauseOf(id), text }),
      );
      return (await Promise.all(planned)).flat();
    },
  };
};

const becauseOf = (id: string): readonly string[] => ["approval", id];

/** What answers a word that was given in the conversation. */
export const SPOKEN = { allow: "Allowed, once.", deny: "Denied." } as const;

/** Short enough for a button, as far as the name is. */
const inPlace = ({ state, scope, isSpoken = false, reason }: ApprovalEnd, name: string): string => {
  if (state === "expired") return reason === undefined ? "Nobody answered in time." : "Nobody waits for this any more.";
  if (isSpoken) return state === "allowed" ? SPOKEN.allow : SPOKEN.deny;
  if (state === "denied") return `Denied by ${name}.`;
  return `Allowed by ${name}, ${scope === "once" ? "once" : scope === "session" ? "for this session" : "as a rule"}.`;
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
