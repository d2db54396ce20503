import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EventId } from "@hearth/protocol";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;
const idOf = (digit: number): string => `upl_${String(digit).repeat(26)}`;

/** A room with two voice notes and a text, and a reply of an agent. */
const furnish = () => {
  const den = own.house.addRoom({ name: "Den", kind: "group" });
  const post = (more: object) =>
    own.house.streams.append(`room:${den.id}`, {
      type: "message",
      room: den.id,
      author: own.house.owner.id,
      at: 1,
      mentions: [],
      causes: [],
      body: { format: "markdown", text: "see" },
      ...more,
    } as never) as unknown as { readonly id: string };
  const fileOf = (digit: number, type: string, name: string) => ({
    ...{ sizeBytes: 7, hash: "0".repeat(64), by: own.house.owner.id, at: digit, offset: digit },
    ...{ id: idOf(digit), message: `evt_${String(digit).repeat(26)}`, type, name },
  });
  const files = [
    fileOf(3, "text/plain", "a.txt"),
    fileOf(2, "audio/wav", "note.wav"),
    fileOf(1, "audio/wav", "note.wav"),
  ];
  own.house.answer(`GET /api/rooms/${den.id}/attachments`, { files, isComplete: true });
  const reply = post({ activation: `act_${"1".repeat(26)}` });
  return { path: `/api/rooms/${den.id}`, reply: EventId.parse(reply.id) };
};
const about = { segments: [], source: "openai/whisper-1", at: 1 };

test("`room transcript` shows, makes and corrects the transcript of the newest audio, or of a named one", async () => {
  const { path } = furnish();
  own.house.answer(`GET ${path}/attachments/${idOf(2)}/transcript`, { ...about, text: "beans\u001b[31m" });
  own.house.answer(`POST ${path}/attachments/${idOf(1)}/transcript`, { ...about, text: "" });
  own.house.answer(`PATCH ${path}/attachments/${idOf(2)}/transcript`, { ...about, text: "peas" });
  const shown = await hearth("room", "transcript", "den");
  expect([shown.code, shown.out.startsWith("beans"), shown.out.includes("\u001b")]).toEqual([0, true, false]);
  expect((await hearth("room", "transcript", "den", idOf(1), "--make")).out).toBe("No speech was recognized.\n");
  expect(await json("room", "transcript", "den", "note.wav", "--edit", "peas")).toEqual({ ...about, text: "peas" });
});

test("`room transcript` of audio without text fails with the reason; other files are a usage error", async () => {
  const { path } = furnish();
  const error = { code: "budget.spent", message: "The transcriber does not answer." };
  own.house.answer(`GET ${path}/attachments/${idOf(2)}/transcript`, { ...about, error });
  const failed = await hearth("room", "transcript", "den");
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("The transcriber does not answer.")]);
  for (const more of [["a.txt"], ["note.wav", "--make", "--edit", "x"]])
    expect([more, (await hearth("room", "transcript", "den", ...more)).code]).toEqual([more, 2]);
});

test("`room speech` saves the newest message of an agent, and never writes audio to a terminal", async () => {
  const { path, reply } = furnish();
  own.house.answer(`GET ${path}/messages/${reply}/speech`, "audio");
  const file = join(own.house.home, "reply.wav");
  const saved = await hearth("room", "speech", "den", "--to", file);
  expect([saved.code, saved.out]).toEqual([0, `Saved ${file}, 7 bytes.\n`]);
  expect(await readFile(file, "utf8")).toBe('"audio"');
  expect((await hearth("room", "speech", "den", reply, "--to", file)).code).toBe(2);
  expect((await hearth("room", "speech", "den", reply, "--to", "-")).out).toBe('"audio"');
  expect((await hearthAt({ stdoutIsTerminal: true }, "room", "speech", "den", "--to", "-")).code).toBe(2);
  expect((await hearth("room", "speech", "den")).code).toBe(2);
});
