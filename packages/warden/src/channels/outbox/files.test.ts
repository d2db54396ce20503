/** Deliveries of files: separate rows, whose bytes are read when they are sent. */
import { describe, expect, test } from "bun:test";
import type { Attachment, EventId } from "@hearth/protocol";
import { openOutbox, PERSON, ROOM } from "../../fixtures/outbox.ts";
import { createStubPlatform, problem } from "../../fixtures/stub-channel.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const HOUSE = `house_${"0".repeat(26)}` as never;

/** A house whose platform sends files of at most 20 bytes. */
const open = (given: Parameters<typeof openOutbox>[0] & { takesKeys?: boolean; maxBytes?: number } = {}) => {
  const { takesKeys = false, maxBytes = 20, ...options } = given;
  const platform = createStubPlatform({ takesKeys, ...(maxBytes === 0 ? {} : { files: { maxBytes } }) });
  const house = openOutbox({ platforms: { tele: platform }, ...options });
  const { world, store, outbox, uploads } = house;
  /** Commits a reply with these files, which are name, content and caption. */
  const replyWith = async (text: string, files: readonly (readonly [string, string, string?])[]) => {
    const id = world.ids.fresh("evt");
    const attachments: Attachment[] = [];
    for (const [name, content, caption] of files) {
      const { id: upload } = await uploads.begin({ agent: PERSON, house: HOUSE }, { name, sizeBytes: content.length });
      await uploads.append(PERSON, upload, { offset: 0, bytes: bytesOf(content) });
      const about = { author: PERSON, room: ROOM, event: id, ...(caption === undefined ? {} : { caption }) };
      const plan = await uploads.planMessage(about, [upload]);
      await store.commit(plan);
      attachments.push(...plan.attachments);
      await world.advance(1);
    }
    const causes = [await house.heard(1)];
    const reply = { id, room: ROOM, body: { text }, causes, attachments, roomName: "Main" };
    const plan = () => outbox.plan({ ...reply, complete: (whole) => `${whole}\nfrom: a page` });
    await store.commit({ writes: await plan() });
    return { id, plan, attachments };
  };
  const remove = async (id: EventId) => store.commit(await uploads.planRemoval(id));
  const errors = async () => (await house.rows()).map(({ error }) => (error === null ? "" : JSON.parse(error).message));
  const states = async () => (await house.rows()).map(({ state }) => state);
  return {
    ...house,
    platform,
    replyWith,
    remove,
    errors,
    states,
    texts: () => platform.arrived.map((message) => message.text),
  };
};

describe("a file of a reply", () => {
  test("follows the text as a separate delivery, once however often it is planned", async () => {
    const house = open();
    const { plan, attachments } = await house.replyWith("Here.", [
      ["may.csv", "a,b", "All of May"],
      ["june.csv", "c,d"],
    ]);
    expect(await plan()).toEqual([]);
    expect((await house.rows()).map(({ body, file, reply_to }) => [body, file, reply_to])).toEqual([
      ["Here.", null, "p1"],
      ["from: a page", null, null],
      [expect.stringMatching(/^\[file "may.csv": .*3 bytes\] All of May$/), attachments[0]?.id ?? "", null],
      [expect.stringContaining("june.csv"), attachments[1]?.id ?? "", null],
    ]);
    await house.start();
    expect(house.texts()).toEqual(["Here.", "from: a page"]);
    expect(house.platform.files).toMatchObject([
      { conversation: "c1", name: "may.csv", caption: "All of May", bytes: bytesOf("a,b") },
      { name: "june.csv", bytes: bytesOf("c,d") },
    ]);
    expect(await house.states()).toEqual(["sent", "sent", "sent", "sent"]);
    await house.stop();
  });

  test("is a line of the text when the channel sends no files, and with its place when it is too large", async () => {
    const without = open({ maxBytes: 0 });
    await without.replyWith("Here.", [["may.csv", "a,b"]]);
    expect((await without.rows()).map(({ body, file }) => [body, file])).toEqual([
      ["Here.", null],
      [expect.stringContaining('[file "may.csv": '), null],
      ["from: a page", null],
    ]);
    const small = open();
    await small.replyWith("", [
      ["big.csv", "x".repeat(21)],
      ["fits.csv", "x".repeat(20)],
    ]);
    await small.start();
    expect(small.texts()).toEqual([
      expect.stringMatching(/^\[file "big.csv": .*21 bytes\]$/),
      "(Too large for this chat. Open the room Main in Hearth to get it.)",
      "from: a page",
    ]);
    expect(small.platform.files.map(({ name }) => name)).toEqual(["fits.csv"]);
    await small.stop();
  });

  test("is not sent after its message was deleted, or when its bytes are missing, and what follows is sent", async () => {
    const house = open();
    const { id } = await house.replyWith("One.", [["may.csv", "a,b"]]);
    await house.remove(id);
    await house.replyWith("Two.", [["june.csv", "c,d"]]);
    for (const { blob } of await house.store.select({ table: "upload_parts" })) await house.blobs.erase(blob);
    await house.start();
    expect(house.platform.files).toEqual([]);
    expect(await house.states()).toEqual(["sent", "sent", "refused", "sent", "sent", "refused"]);
    expect((await house.errors()).filter((error) => error !== "")).toEqual([
      "The file was not sent, because its message was deleted.",
      "The file was not sent, because its bytes are missing or damaged on the disk.",
    ]);
    await house.stop();
  });

  test("waits and is sent again when nothing was sent, and never when the outcome is unknown", async () => {
    const house = open();
    const { platform, world } = house;
    platform.outcomes.push(
      () => ({ kind: "sent", messageId: "m" }),
      () => ({ kind: "sent", messageId: "m" }),
      () => ({ kind: "later", error: problem() }),
      () => ({ kind: "unknown", error: problem() }),
    );
    await house.replyWith("Here.", [
      ["may.csv", "a,b"],
      ["june.csv", "c,d"],
    ]);
    await house.start();
    expect(await house.states()).toEqual(["sent", "sent", "queued", "queued"]);
    await world.advance(1000);
    await house.settle();
    expect(await house.states()).toEqual(["sent", "sent", "unknown", "sent"]);
    expect(platform.files.map(({ name }) => name)).toEqual(["june.csv"]);
    await house.stop();
  });

  test("that was being sent when the daemon ended is unknown without keys, and sent once with keys", async () => {
    for (const takesKeys of [false, true]) {
      const house = open({ takesKeys, store: createMemoryStore() });
      await house.replyWith("", [["may.csv", "a,b"]]);
      const row = (await house.rows()).at(-1);
      await house.store.commit({
        writes: [
          { kind: "update", table: "outbox", where: { id: row?.id ?? "" }, set: { state: "sending", attempts: 1 } },
        ],
      });
      await house.start();
      expect((await house.states()).at(-1)).toBe(takesKeys ? "sent" : "unknown");
      expect(house.platform.files).toHaveLength(takesKeys ? 1 : 0);
      await house.stop();
    }
  });

  test("passes the check with its name and caption, as the check changes them", async () => {
    const house = open({
      async pass({ text }, begin) {
        await begin();
        return { text: text.replaceAll("hush", "[left out]") };
      },
    });
    await house.replyWith("Here.", [["hush.csv", "a,b", "hush\nnow"]]);
    await house.start();
    expect(house.platform.files).toMatchObject([{ name: "[left out].csv", caption: "[left out]\nnow" }]);
    await house.stop();
  });
});
