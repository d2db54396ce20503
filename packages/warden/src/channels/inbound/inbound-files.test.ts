import { describe, expect, test } from "bun:test";
import type { StoredMessage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { hash, openChannelHouse } from "../../fixtures/channel-house.ts";
import { createFakeChannel } from "../fake-channel.ts";
import { createFakePlatform, type Fault } from "../fake-platform.ts";
import type { InboundUpdate } from "../channel.ts";
import { MAX_FILE_WAIT_MS } from "./inbound-files.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const never = new AbortController().signal;

/** A house with a fake platform whose updates the test accepts one by one. */
const open = async () => {
  const world = createFakeWorld({ hash });
  const platform = createFakePlatform({ clock: world.clock, takesKeys: true });
  const channel = createFakeChannel({ platform, clock: world.clock });
  const house = await openChannelHouse({ world, channel });
  await house.allow();
  let cursor = 0;
  const read = async (): Promise<InboundUpdate> => {
    const answer = await platform.wire.pull(cursor, never);
    if (answer.kind !== "ok") throw new Error(answer.fault);
    ({ cursor } = answer.value);
    const [inbound] = answer.value.inbound;
    if (inbound === undefined) throw new Error("There is no update.");
    return inbound;
  };
  const say = async (text: string, ...files: { name: string; bytes: Uint8Array }[]): Promise<InboundUpdate> => {
    platform.say("d1", "s1", text, { files });
    return read();
  };
  const messages = async () => (await house.said()) as readonly StoredMessage[];
  const contentOf = async (room: string, id: string): Promise<string> => {
    const { attachment, read: piecesOf } = await house.uploads.open(room as never, id);
    const pieces = await Array.fromAsync(piecesOf(0, attachment.sizeBytes));
    return pieces.map((piece) => new TextDecoder().decode(piece)).join("");
  };
  const notices = async () => (await house.store.select({ table: "outbox" })).map(({ body }) => body);
  return { ...house, platform, say, read, messages, contentOf, notices, world };
};

describe("a message with files", () => {
  test("has them as attachments of its sender, byte for byte, also without a text", async () => {
    const house = await open();
    await house.inbound.accept("tele", await house.say("", { name: "a.txt", bytes: bytesOf("hello") }));
    const two = [
      { name: "../b\u202e.txt", bytes: bytesOf("one") },
      { name: "c.txt", bytes: bytesOf("two") },
    ];
    await house.inbound.accept("tele", await house.say("two", ...two));
    const [first, second] = await house.messages();
    expect([first?.author, first?.body.text, first?.attachments]).toMatchObject([
      house.owner.id,
      "",
      [{ name: "a.txt", type: "text/plain", sizeBytes: 5 }],
    ]);
    expect(second?.attachments?.map(({ name }) => name)).toEqual(["b.txt", "c.txt"]);
    for (const [message, expected] of [[first, ["hello"]] as const, [second, ["one", "two"]] as const])
      expect(
        await Promise.all((message?.attachments ?? []).map(({ id }) => house.contentOf(message?.room ?? "", id))),
      ).toEqual([...expected]);
    expect(await house.store.select({ table: "uploads" })).toMatchObject(
      Array.from({ length: 3 }, () => ({ owner: house.owner.id, state: "named" })),
    );
    expect(await house.notices()).toEqual([]);
  });

  test("that comes again, or twice at once, is stored once, and leaves no upload behind", async () => {
    const house = await open();
    const said = await house.say("see", { name: "a.txt", bytes: bytesOf("hello") });
    const accepted = await Promise.all([house.inbound.accept("tele", said), house.inbound.accept("tele", said)]);
    expect(accepted.map(({ kind }) => kind)).toEqual(["accepted", "duplicate"]);
    expect(await house.messages()).toHaveLength(1);
    expect(await house.store.select({ table: "uploads" })).toHaveLength(1);
  });

  test("of a stranger is not fetched", async () => {
    const house = await open();
    house.platform.say("d2", "stranger", "", { files: [{ name: "a.txt", bytes: bytesOf("x") }] });
    const said = await house.read();
    const calls = house.platform.calls();
    expect(await house.inbound.accept("tele", said)).toEqual({ kind: "refused", fate: "unpaired" });
    expect(house.platform.calls()).toBe(calls);
    expect(await house.store.select({ table: "uploads" })).toEqual([]);
  });

  test("arrives without a file that is too large or missing, and says so in its text and to its sender", async () => {
    const house = await open();
    const files = [
      { name: "huge.bin", bytes: new Uint8Array(10_001) },
      { name: "empty.txt", bytes: new Uint8Array(0) },
      { name: "a.txt", bytes: bytesOf("hello") },
    ];
    const said = await house.say("look", ...files);
    await house.inbound.accept("tele", said);
    const [message] = await house.messages();
    expect(message?.body.text).toBe(
      "look\n[file; not received: a file may have at most 10 kB]\n[file; not received: it is empty]",
    );
    expect(message?.attachments?.map(({ name }) => name)).toEqual(["a.txt"]);
    expect(await house.notices()).toEqual([
      "I did not get huge.bin: a file may have at most 10 kB.\nI did not get empty.txt: it is empty.",
    ]);
    expect(await house.inbound.accept("tele", said)).toEqual({ kind: "duplicate" });
    expect(await house.notices()).toHaveLength(1);
  });

  test("of a person whose quota is used up arrives with the reason", async () => {
    const house = await open();
    const by = { agent: house.owner.id, house: house.owner.house };
    for (const _ of [1, 2]) await house.uploads.begin(by, { name: "much", sizeBytes: 10_000_000 });
    await house.inbound.accept("tele", await house.say("", { name: "a.txt", bytes: bytesOf("hello") }));
    const [message] = await house.messages();
    expect([message?.body.text, message?.attachments]).toEqual([
      expect.stringMatching(/^\[file; not received: .*[^.]\]$/) as never,
      undefined,
    ]);
    expect(await house.notices()).toEqual([expect.stringMatching(/^I did not get a\.txt: .*[^.]\.$/) as never]);
  });

  test.each<[Fault]>([["unreachable"], ["rate-limited"], ["failing"], ["lost-after"]])(
    "waits for a file that the platform may give later: %s",
    async (fault) => {
      const house = await open();
      const files = ["a.txt", "b.txt"].map((name) => ({ name, bytes: bytesOf(name) }));
      const said = await house.say("see", ...files);
      house.platform.failNext("fetch", fault);
      await expect(house.inbound.accept("tele", said)).rejects.toMatchObject({
        code: expect.stringContaining("channel.") as never,
      });
      expect(await house.messages()).toEqual([]);
      await house.inbound.accept("tele", said);
      expect((await house.messages()).map(({ attachments }) => attachments?.length)).toEqual([2]);
      expect(await house.store.select({ table: "uploads" })).toHaveLength(2);
    },
  );

  test("goes without its files once the platform has not given them for a while", async () => {
    const house = await open();
    const said = await house.say("see", { name: "a.txt", bytes: bytesOf("x") });
    house.platform.failNext("fetch", "failing", 2);
    await house.inbound.accept("tele", said).catch(() => undefined);
    await house.world.advance(MAX_FILE_WAIT_MS);
    await house.inbound.accept("tele", said);
    expect((await house.messages()).map(({ body }) => body.text)).toEqual([
      "see\n[file; not received: the fake platform has an internal error]",
    ]);
  });

  test("that is edited keeps its files", async () => {
    const house = await open();
    const said = await house.say("see", { name: "a.txt", bytes: bytesOf("x") });
    await house.inbound.accept("tele", said);
    house.platform.edit("d1", said.messageId, "look");
    const calls = house.platform.calls();
    await house.inbound.accept("tele", await house.read());
    expect(house.platform.calls()).toBe(calls + 1);
    expect((await house.said()).map(({ type }) => type)).toEqual(["message", "message-edited"]);
  });
});
