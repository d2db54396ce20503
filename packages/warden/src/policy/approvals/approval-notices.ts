/**
 * Writes notices about approvals for the chat conversation behind a room. Only a direct
 * conversation with the person who is asked shows the full call and a code to decide it.
 */
import { hashCode, newCode, readCode, showCode, type Records } from "../../people/index.ts";
import type { Choice, Notices, Store, Write, Row } from "../../kernel/index.ts";
import type { AgentId, ApprovalScope, Right, World } from "@hearth/protocol";
import type { Ask } from "../effect.ts";
import { defang } from "../text/outgoing.ts";

export interface ApprovalNotices {
  /** Returns the writes for the commit that creates the approval, and the hash of the code. */
  plan(subject: ApprovalSubject): Promise<{ readonly codeHash: string | null; readonly writes: readonly Write[] }>;
  /**
   * Returns the writes for the commit that ends the approval. They replace the buttons of the
   * message with the outcome.
   */
  planEnd(approval: Row<"approvals">, end: ApprovalEnd): Promise<readonly Write[]>;
  /** Returns the hash under which a code is stored. */
  hashOf(typed: string): string;
}

/** The end of a pending approval. */
export interface ApprovalEnd {
  readonly state: "allowed" | "denied" | "expired";
  readonly scope?: ApprovalScope;
  readonly by?: AgentId;
  /** The right by which the person decided. Absent: the level. */
  readonly right?: Right | undefined;
  readonly reason?: string | undefined;
  /** Whether the decision was made in the conversation itself, which already shows it. */
  readonly isByCode?: boolean;
}

export interface ApprovalSubject {
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
  readonly outbox: Pick<Notices, "planNotice" | "planChoicesEnd">;
}): ApprovalNotices => {
  const { world, store, records, outbox } = options;
  const hashOf: ApprovalNotices["hashOf"] = (typed) => world.hash(`approval ${hashCode(world.hash, readCode(typed))}`);

  /** Whether the conversation is a direct one with this person. */
  const isDirectWith = async (channel: string, conversation: string, person: AgentId | null): Promise<boolean> => {
    if (person === null) return false;
    const inbound = await store.select({
      table: "inbound",
      where: { channel, conversation, fate: "accepted" },
      order: [{ column: "at", descending: true }],
      limit: 1,
    });
    const [sender] = await store.select({ table: "senders", where: { channel, external: inbound[0]?.sender ?? "" } });
    return sender?.state === "allowed" && sender.person === person;
  };

  return {
    hashOf,
    async plan({ id, handle, tool, room, person, asks, display }) {
      const [conversationRow] = await store.select({ table: "conversations", where: { room }, limit: 1 });
      if (conversationRow === undefined) return { codeHash: null, writes: [] };
      const { channel, conversation, kind } = conversationRow;
      const isPrivate = kind === "direct" && (await isDirectWith(channel, conversation, person));
      const code = isPrivate ? showCode(newCode(world.random)) : undefined;
      const text = code === undefined ? publicText(handle, tool) : privateText(handle, asks, display, code);
      return {
        codeHash: code === undefined ? null : hashOf(code),
        writes: await outbox.planNotice({
          channel,
          conversation,
          text,
          idParts: idPartsOf(id),
          ...(code === undefined ? {} : { choices: choicesFor(code) }),
        }),
      };
    },

    async planEnd({ id, room, code_hash }, end) {
      if (code_hash === null) return [];
      const deciderName =
        end.by === undefined ? "" : ((await records.find("agent", end.by))?.content.name ?? "a person");
      const conversations = await store.select({ table: "conversations", where: { room } });
      const text = outcomeText(end, deciderName);
      const planning = conversations.map(({ channel, conversation }) =>
        outbox.planChoicesEnd({ channel, conversation, idParts: idPartsOf(id), text }),
      );
      return (await Promise.all(planning)).flat();
    },
  };
};

const idPartsOf = (id: string): readonly string[] => ["approval", id];

/** Replies to a decision that was made in the conversation. */
export const DECISION_REPLIES = { allow: "Allowed, once.", deny: "Denied." } as const;

/** Returns the notice about an end. It fits on a button unless the name is long. */
const outcomeText = ({ state, scope, isByCode = false, reason }: ApprovalEnd, name: string): string => {
  if (state === "expired")
    return reason === undefined ? "The request was not answered in time." : "The request is no longer pending.";
  if (isByCode) return state === "allowed" ? DECISION_REPLIES.allow : DECISION_REPLIES.deny;
  if (state === "denied") return `Denied by ${name}.`;
  return `Allowed by ${name}, ${scope === "once" ? "once" : scope === "session" ? "for this session" : "as a rule"}.`;
};

/** Returns the buttons. They send the same commands that a person can type. */
const choicesFor = (code: string): readonly Choice[] => [
  { label: "Allow once", word: `/allow ${code}` },
  { label: "Deny", word: `/deny ${code}` },
];

const publicText = (handle: string, tool: string): string =>
  `@${handle} waits for approval to call ${tool}. People who decide in its house can see the whole call: hearth approval list`;

/**
 * Returns the text for a direct conversation. Its fence is longer than any run of backticks in the
 * call, so the call cannot close it.
 */
const privateText = (handle: string, asks: readonly Ask[], display: string, code: string): string => {
  const fence = "`".repeat(Math.max(3, ...Array.from(display.matchAll(/`+/g), ([ticks]) => ticks.length + 1)));
  return [
    `@${handle} asks for approval of this call:`,
    `${fence}\n${display}\n${fence}`,
    // The call itself is shown unchanged, inside a fence where no link becomes active.
    defang(asks.map(({ text }) => text).join("\n"), () => false),
    `To allow it, write: /allow ${code}\nTo deny it, write: /deny ${code} and a reason`,
  ].join("\n\n");
};
