/** What has to be true of talks that were compacted: every word is in its room, and whoever was answered was answered by what they said. */
import type { Row } from "@hearth/warden/memory-warden";
import type { House } from "./house.ts";

const TOKEN = /\bm\d+/;

export const checkTalks = async (
  { disk, complain, spoken, families }: Pick<House, "disk" | "complain" | "spoken" | "families">,
  events: readonly Row<"events">[],
  activations: readonly Row<"activations">[],
): Promise<void> => {
  const compactions = await disk.store.select({
    table: "compactions",
    order: [{ column: "agent" }, { column: "room" }, { column: "place" }],
  });
  const bodies = new Map(events.map(({ stream, offset, body }) => [`${stream} ${offset}`, body]));
  const notes = new Map<string, string>();
  /** All that stands in an agent's memory. */
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
    if (turn === undefined) complain("I1", `${name} was made by no turn`);
    else if (through >= turn.cause_offset) complain("I1", `${name} holds what its own turn was to answer`);
    const said = summary === null ? undefined : await disk.blobs.intact(summary);
    // Forgetting erases a summary that has something of what was forgotten.
    const isErased = families.has("forgetting") && said === undefined;
    if (isErased) continue;
    if (said === undefined) complain("I1", `${name} has lost its summary`);
    else if (!spoken.has(new TextDecoder().decode(said)))
      complain("I1", `the summary of ${name} is not what the model said`);
    if (!(await notesOf(agent)).includes(`messages ${after + 1}–${through})`))
      complain("I1", `nothing of ${name} was noted before it was summed up`);
    // Raw, event by event.
    for (let offset = after + 1; offset <= through; offset += 1)
      if ((bodies.get(`room:${room}` + ` ${offset}`) ?? null) === null)
        complain("I1", `${name} has taken event ${offset} out of the room`);
    // What stands between two of them would be given to nobody. One of a turn that waited long begins with the room once more.
    const before = ends.get(`${agent} ${room}`) ?? new Set([0]);
    // Forgetting removes a summary that has something of what was forgotten.
    if (!before.has(after) && !families.has("forgetting"))
      complain("I1", `${name} begins at ${after}, and none before it went so far`);
    ends.set(`${agent} ${room}`, before.add(through));
  }

  // A summary has nothing of what was said: a reply that names its message was made of the message itself.
  const texts = new Map<string, string[]>();
  for (const { id, type, body, blob } of events) {
    // Whoever reads a text that was lost is shown a placeholder.
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
      complain("I1", `"${reply.body.text}" answers ${asked.join(" or ")}, and has nothing of it`);
  }
};
