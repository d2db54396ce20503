/**
 * Answers strangers with a pairing code, at most once an hour and only in direct conversations. No
 * other part reads their messages.
 */
import { hashCode, newCode, showCode, plainName } from "../../people/index.ts";
import type { Notices, Store, Write, Row } from "../../kernel/index.ts";
import type { World } from "@hearth/protocol";
import type { InboundUpdate } from "../channel.ts";

export interface StrangersOptions {
  readonly world: Pick<World, "clock" | "random" | "hash">;
  readonly store: Store;
  readonly outbox: Pick<Notices, "planNotice">;
}

export const CODE_MS = 60 * 60_000;
/**
 * Maximum number of strangers per channel with a code. Further strangers get no answer, so that
 * they cannot fill the disk.
 */
export const MAX_PENDING = 200;

export interface Strangers {
  /** Returns the writes for a stranger's message: a code and an answer, or no writes. */
  greet(channel: string, inbound: InboundUpdate, senderRow: Row<"senders"> | undefined): Promise<readonly Write[]>;
}

export const createStrangers = ({ world, store, outbox }: StrangersOptions): Strangers => ({
  async greet(channel, inbound, senderRow) {
    // In a group everyone would see the code, and every stranger's message would get a reply.
    if (inbound.conversation.kind === "group") return [];
    const now = world.clock.now();
    if (hasValidCode(senderRow, now)) return [];
    const pendingRows = await store.select({ table: "senders", where: { channel, state: "pending" } });
    if (pendingRows.filter((row) => hasValidCode(row, now)).length >= MAX_PENDING) return [];
    const code = newCode(world.random);
    const row: Row<"senders"> = {
      channel,
      external: inbound.sender.id,
      name: plainName(inbound.sender.name, inbound.sender.id),
      person: null,
      state: "pending",
      code_hash: hashCode(world.hash, code),
      code_expires_at: now + CODE_MS,
      created_at: senderRow?.created_at ?? now,
    };
    const expiredRows = pendingRows.filter((other) => !hasValidCode(other, now) && other.external !== row.external);
    return [
      ...expiredRows.map(
        ({ external }) => ({ kind: "delete", table: "senders", where: { channel, external } }) as const,
      ),
      { kind: "put", table: "senders", row },
      ...(await outbox.planNotice({
        channel,
        conversation: inbound.conversation.id,
        text: greeting(showCode(code)),
        idParts: ["code", inbound.externalId],
      })),
    ];
  },
});

const hasValidCode = (row: Row<"senders"> | undefined, now: number): boolean =>
  row?.state === "pending" && row.code_expires_at !== null && row.code_expires_at > now;

const greeting = (code: string): string =>
  [
    "I do not know you yet. Give this code to the owner of this house:",
    "",
    code,
    "",
    `To let you in, they run: hearth pairing approve ${code}`,
    "The code is valid for one hour.",
  ].join("\n");
