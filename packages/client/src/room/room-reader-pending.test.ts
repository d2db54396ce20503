import { describe, expect, test } from "bun:test";
import { numbers, setUp, setUpOpen, texts } from "./fake-reading.ts";

describe("pending messages", () => {
  test("are shown until the room has them: never both, never neither", async () => {
    for (const isCut of [false, true]) {
      const { house, settle, reader, snapshots } = await setUpOpen();
      const before = snapshots.length;
      if (isCut) {
        house.wire.refuse(1006);
        house.wire.cut();
      }
      const release = house.hold("post");
      reader.send("mine", undefined);
      await settle();
      expect(reader.snapshot().pending).toMatchObject([{ text: "mine", state: "sending" }]);
      release();
      await settle();
      expect(reader.snapshot().pending).toHaveLength(isCut ? 1 : 0);
      house.wire.refuse(undefined);
      await settle(5_000);
      const seen = snapshots.slice(before).filter(({ pending, messages }) => pending.length > 0 || messages.length > 1);
      for (const { messages, pending } of seen) expect(messages.length - 1 + pending.length).toBe(1);
      expect(texts(reader.snapshot())).toEqual(["hello", "mine"]);
      expect(reader.snapshot().pending).toEqual([]);
    }
  });

  test("are replaced by the stored one also when the answer never arrived", async () => {
    const { house, settle, reader, outbox } = await setUpOpen();
    house.fail("post", "house.unreachable");
    reader.send("mine");
    await settle();
    const [pending] = outbox.pending(house.room.id);
    house.say("mine", { key: pending!.key });
    await settle();
    expect(texts(reader.snapshot())).toEqual(["hello", "mine"]);
    expect(reader.snapshot().pending).toEqual([]);
  });

  test("are not confused with another author's message with the same key", async () => {
    const { house, settle, reader, outbox } = await setUpOpen();
    house.fail("post", "house.unreachable");
    reader.send("mine");
    await settle();
    house.say("theirs", { key: outbox.pending(house.room.id)[0]!.key, author: house.bot.id });
    await settle();
    expect(reader.snapshot().pending).toMatchObject([{ text: "mine", state: "waiting" }]);
  });

  test("that were stored long before their answer arrived leave nothing pending", async () => {
    const { house, open, settle, outbox } = setUp();
    house.fail("post", "house.unreachable");
    outbox.add(house.room.id, "mine");
    await settle();
    house.say("mine", { key: outbox.pending(house.room.id)[0]!.key });
    for (const text of numbers(80)) house.say(text);
    const { reader } = open();
    await settle();
    house.fail("post");
    outbox.retryNow();
    await settle();
    expect(reader.snapshot().pending).toEqual([]);
  });

  test("can be refused, sent again and discarded", async () => {
    const { house, settle, reader } = await setUpOpen();
    const reply = house.say("to this");
    house.fail("post", "auth.denied");
    reader.send("one", { replyTo: reply.id });
    reader.send("two");
    await settle();
    expect(reader.snapshot().pending).toMatchObject([
      { text: "one", state: "refused", error: { code: "auth.denied" }, replyTo: reply.id },
      { text: "two", state: "refused" },
    ]);
    const [one, two] = reader.snapshot().pending;
    reader.discard(two!.key);
    house.fail("post");
    reader.retry(one!.key);
    await settle();
    expect(reader.snapshot().messages.at(-1)).toMatchObject({ text: "one", replyTo: reply.id });
    expect(reader.snapshot().pending).toEqual([]);
  });
});
