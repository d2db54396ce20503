/** Deliveries of speech: a separate row, whose audio is made before it is sent. */
import { describe, expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { openOutbox } from "../../fixtures/outbox.ts";
import { createStubPlatform, problem } from "../../fixtures/stub-channel.ts";
import type { PassDelivery } from "./delivery-attempt.ts";
import type { SpeechSource } from "./speech-delivery.ts";

const audio = (text: string) => new TextEncoder().encode(`audio of ${text}`);
const MP3 = "audio/mpeg";

/** A house whose platform sends files, and whose speaker can be replaced. */
const open = (given: { speak?: SpeechSource["of"]; pass?: PassDelivery; maxBytes?: number } = {}) => {
  const { maxBytes = 100 } = given;
  const platform = createStubPlatform(maxBytes === 0 ? {} : { files: { maxBytes } });
  const states: string[] = [];
  const house = openOutbox({
    platforms: { tele: platform },
    ...(given.pass === undefined ? {} : { pass: given.pass }),
    speeches: {
      async of(room, message) {
        states.push(...(await house.rows()).map(({ state }) => state));
        const speak: SpeechSource["of"] =
          given.speak ?? (async (_room, { text }) => ({ bytes: audio(text), type: MP3, hash: "h" }));
        return speak(room, message);
      },
    },
  });
  const errors = async () => (await house.rows()).map(({ error }) => (error === null ? "" : JSON.parse(error).message));
  const stateOf = async () => (await house.rows()).map(({ state }) => state);
  return { ...house, platform, errors, stateOf, states };
};

describe("a reply that a person hears", () => {
  test("is a voice message after its text, only in the conversation of that person", async () => {
    const house = open();
    const mine = await house.heard(1);
    const theirs = await house.heard(2, "c2");
    await house.start();
    await house.reply("**Hello**", [mine, theirs], { speech: { text: "**Hello** there", causes: [mine] } });
    const rows = await house.rows();
    expect(rows.map(({ conversation, body, spoken, state }) => [conversation, body, spoken, state])).toEqual([
      ["c1", "**Hello**", 0, "sent"],
      ["c2", "**Hello**", 0, "sent"],
      ["c1", "**Hello** there", 1, "sent"],
    ]);
    expect(house.platform.arrived.map(({ text }) => text)).toEqual(["**Hello**", "**Hello**"]);
    expect(house.platform.files).toEqual([
      {
        conversation: "c1",
        name: "reply.mp3",
        type: MP3,
        isVoice: true,
        bytes: audio("**Hello** there"),
        key: rows[2]?.id ?? "",
      },
    ]);
    const listed = await house.outbox.list({ channel: "tele", limit: 10 });
    expect(listed.map(({ spoken }) => spoken)).toEqual([true, undefined, undefined]);
    await house.stop();
  });

  test("is heard in a conversation of which an older message asked for it", async () => {
    const house = open();
    const [first, last] = [await house.heard(1), await house.heard(2)];
    await house.start();
    await house.reply("Hello", [first, last], { speech: { text: "Hello", causes: [first] } });
    expect(house.platform.files).toHaveLength(1);
    await house.stop();
  });

  test("has no row if the channel sends no files", async () => {
    const house = open({ maxBytes: 0 });
    const cause = await house.heard(1);
    await house.reply("Hello", [cause], { speech: { text: "Hello", causes: [cause] } });
    expect((await house.rows()).map(({ spoken }) => spoken)).toEqual([0]);
  });

  test("has its audio before the row is sent, so that a crash meanwhile leaves it queued", async () => {
    const house = open();
    const cause = await house.heard(1);
    await house.start();
    await house.reply("Hello", [cause], { speech: { text: "Hello", causes: [cause] } });
    expect(house.states).toEqual(["sent", "queued"]);
    await house.stop();
  });

  test("is refused once with the reason, and later messages are sent", async () => {
    const failures: readonly (readonly [SpeechSource["of"], string])[] = [
      [async () => undefined, "this house has no provider of speech."],
      [() => Promise.reject(new HearthError("budget.spent", "The limit is spent.")), "The limit is spent."],
      [() => Promise.reject(new Error("disk")), "its audio could not be stored."],
      [async () => ({ bytes: new Uint8Array(101), type: MP3, hash: "h" }), "does not take audio of 101 bytes."],
    ];
    for (const [speak, reason] of failures) {
      const house = open({ speak });
      const cause = await house.heard(1);
      await house.start();
      await house.reply("Hello", [cause], { speech: { text: "Hello", causes: [cause] } });
      await house.world.advance(1);
      await house.reply("Later", [cause]);
      expect(await house.stateOf()).toEqual(["sent", "refused", "sent"]);
      expect((await house.errors())[1]).toStartWith("The reply was not spoken");
      expect((await house.errors())[1]).toEndWith(reason);
      expect(house.platform.files).toEqual([]);
      await house.stop();
    }
  });

  test("stays queued when the house ends while its audio is made", async () => {
    const house = open({ speak: () => Promise.reject(new HearthError("provider.aborted", "The call was stopped.")) });
    const cause = await house.heard(1);
    await house.start();
    await house.reply("Hello", [cause], { speech: { text: "Hello", causes: [cause] } });
    expect(await house.stateOf()).toEqual(["sent", "queued"]);
    await house.stop();
  });

  test("is not sent if its text contains a secret", async () => {
    const house = open({
      async pass({ text }, begin) {
        await begin();
        return text.includes("hush") ? { text: text.replaceAll("hush", "[left out]") } : "allowed";
      },
    });
    const cause = await house.heard(1);
    await house.start();
    await house.reply("Hello", [cause], { speech: { text: "hush", causes: [cause] } });
    expect(await house.stateOf()).toEqual(["sent", "refused"]);
    expect((await house.errors())[1]).toContain("contains a secret");
    expect(house.platform.files).toEqual([]);
    await house.stop();
  });

  test("waits when the platform asks, and is sent again", async () => {
    const house = open();
    const cause = await house.heard(1);
    await house.start();
    house.platform.outcomes.push(
      () => ({ kind: "sent", messageId: "m" }),
      () => ({ kind: "later", error: problem() }),
    );
    await house.reply("Hello", [cause], { speech: { text: "Hello", causes: [cause] } });
    expect(await house.stateOf()).toEqual(["sent", "queued"]);
    await house.world.advance(1000);
    await house.settle();
    expect(await house.stateOf()).toEqual(["sent", "sent"]);
    expect(house.platform.files).toHaveLength(1);
    await house.stop();
  });
});
