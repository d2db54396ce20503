/**
 * Checks compacted conversations: the room keeps every message, and each reply answers the text of
 * its message.
 */
import type { Row } from "@hearth/warden/memory-warden";
import type { House } from "./house.ts";

const TOKEN = /\bm\d+/;

export const checkCompactions = async (
  { disk, complain, completedTexts, families }: Pick<House, "disk" | "complain" | "completedTexts" | "families">,
  events: readonly Row<"events">[],
  activations: readonly Row<"activations">[],
): Promise<void> => {
  const compactions = await disk.store.select({
    table: "compactions",
    order: [{ column: "agent" }, { column: "room" }, { column: "place" }],
  });
  const bodies = new Map(events.map(({ stream, offset, body }) => [`${stream} ${offset}`, body]));
  const notes = new Map<string, string>();
  /** The text of all memory files of an agent. */
  const notesOf = async (agent: string): Promise<string> => {
    const known = notes.get(agent);
    if (known !== undefined) return known;
    const [record] = await disk.store.select({ table: "records", where: { type: "agent", id: agent } });
    const folder = record?.handle ?? "";
    const { files } = await disk.brains.tree(folder).walk("memory", { skips: () => false, maxFiles: 1000 });
    const texts = await Promise.all(files.map(({ path }) => disk.brains.read(`${folder}/${path}`)));
    const all = texts.join("\n");
    notes.set(agent, all);
    return all;
  };
  const ends = new Map<string, Set<number>>();
  for (const { agent, room, place, state, summary, activation, after, through } of compactions) {
    const name = `compaction ${place} of ${agent} in ${room}`;
    if (state !== "done" && state !== "over") continue;
    const turn = activations.find(({ id }) => id === activation);
    if (turn === undefined) complain("I1", `${name} belongs to no turn`);
    else if (through >= turn.cause_offset) complain("I1", `${name} includes the message that its turn answers`);
    const summaryBytes = summary === null ? undefined : await disk.blobs.intact(summary);
    // Forgetting erases a summary that covers forgotten text.
    const isErased = families.has("forgetting") && summaryBytes === undefined;
    if (isErased) continue;
    if (summaryBytes === undefined) complain("I1", `${name} has lost its summary`);
    else if (!completedTexts.has(new TextDecoder().decode(summaryBytes)))
      complain("I1", `the summary of ${name} is not what the model said`);
    if (!(await notesOf(agent)).includes(`messages ${after + 1}–${through})`))
      complain("I1", `no notes were written before ${name}`);
    for (let offset = after + 1; offset <= through; offset += 1)
      if ((bodies.get(`room:${room}` + ` ${offset}`) ?? null) === null)
        complain("I1", `${name} removed the body of event ${offset} from the room`);
    // A gap between two compactions would hide messages from the agent. The compaction of a turn
    // that waited long may begin at the start of the room again.
    const before = ends.get(`${agent} ${room}`) ?? new Set([0]);
    // Forgetting removes a summary that covers forgotten text.
    if (!before.has(after) && !families.has("forgetting"))
      complain("I1", `${name} begins at ${after}, but no earlier compaction ends there`);
    ends.set(`${agent} ${room}`, before.add(through));
  }

  // Summaries contain no message text, so a reply that names its message was made from the message.
  const texts = new Map<string, string[]>();
  for (const { id, type, body, blob } of events) {
    // The agent gets a placeholder in place of a lost text.
    if (disk.blobs.everLost.has(blob ?? "")) continue;
    if (type !== "message" && type !== "message-edited") continue;
    const event = JSON.parse(body ?? "null");
    const key = type === "message" ? id : event.message;
    texts.set(key, [...(texts.get(key) ?? []), event.body.text]);
  }
  for (const { type, body } of events) {
    if (type !== "message") continue;
    const reply = JSON.parse(body ?? "null");
    if (reply?.stopped === true) continue;
    const turn = activations.find(({ id }) => id === reply.activation);
    const asked = (texts.get(turn?.cause ?? "") ?? []).flatMap((text) => TOKEN.exec(text)?.[0] ?? []);
    if (asked.length > 0 && !asked.some((token) => new RegExp(`\\b${token}\\b`).test(reply.body.text)))
      complain("I1", `"${reply.body.text}" answers ${asked.join(" or ")}, but does not name it`);
  }
};
