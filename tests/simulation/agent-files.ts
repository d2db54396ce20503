/**
 * Agents attach a file of their workspace to replies while daemons die. The checks: a reply has the file
 * of each of its calls once, and a turn without a reply leaves no attachment.
 */
import { hash, type MemoryDisk } from "@hearth/warden/memory-warden";
import type { House } from "./house.ts";
import { KEPT } from "./plan.ts";

const decoder = new TextDecoder();

/** Puts the file into the workspace of each audience. */
export const putKeptFiles = async ({ brains }: MemoryDisk, rooms: readonly string[]): Promise<void> => {
  for (const folder of await brains.folders())
    for (const path of ["", ...rooms.map((room) => `rooms/${room}/`)])
      await brains.write(`${folder}/workspace/${path}${KEPT.name}`, KEPT.text);
};

interface Reply {
  readonly activation?: string;
  readonly attachments?: readonly { readonly id: string; readonly hash: string }[];
}

/** Faults have ended, and no turn runs. */
export const checkAgentFiles = async ({ disk: { store, blobs }, families, complain }: House): Promise<void> => {
  if (!families.has("uploads")) return;
  const messages = new Map<string, Reply>();
  for (const { id, type, body, blob } of await store.select({ table: "events" })) {
    if (type !== "message" || (body === null && blob === null)) continue;
    const bytes = body === null ? await blobs.get(blob ?? "").catch(() => undefined) : undefined;
    const text = body ?? (bytes === undefined ? "{}" : decoder.decode(bytes));
    messages.set(id, JSON.parse(text) as Reply);
  }
  for (const { event, upload } of await store.select({ table: "attachments" }))
    if (!messages.has(event)) complain("uploads", `${upload} is attached to ${event}, which was never sent`);
  const replies = [...messages.values()];
  for (const { activation, state, output } of await store.select({ table: "steps", where: { name: "attach" } })) {
    if (state !== "done" || output === null || !output.includes("Your answer will have")) continue;
    const sent = replies.filter((reply) => reply.activation === activation);
    for (const { attachments = [] } of sent.slice(0, 1))
      if (attachments.length !== 1 || attachments[0]?.hash !== hash(KEPT.text))
        complain(
          "uploads",
          `the reply of ${activation} has ${attachments.length} files instead of the one it attached`,
        );
  }
};
