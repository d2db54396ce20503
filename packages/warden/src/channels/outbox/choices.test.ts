import { describe, expect, test } from "bun:test";
import { answers, openOutbox, PERSON } from "../../fixtures/outbox.ts";
import { problem } from "../../fixtures/stub-channel.ts";
import type { PassDelivery } from "./delivery-attempt.ts";

describe("ended choices", () => {
  const asks = { channel: "tele", conversation: "c1", idParts: ["approval", "1"] };
  const choices = [{ label: "Yes", word: "yes" }];
  const ask = async (house: ReturnType<typeof openOutbox>) => {
    await house.store.commit({ writes: await house.notices.planNotice({ ...asks, text: "Shall I?", choices }) });
    house.outbox.poke();
    await house.settle();
  };
  const end = async (house: ReturnType<typeof openOutbox>) => {
    await house.store.commit({ writes: await house.notices.planChoicesEnd({ ...asks, text: "Denied by Ana." }) });
    house.outbox.poke();
    await house.settle();
  };
  const ended = { conversation: "c1", messageId: "m1", text: "Denied by Ana." };
  const states = async (house: ReturnType<typeof openOutbox>) => (await house.rows()).map(({ state }) => state);

  test("are removed from their message, and the row keeps no text", async () => {
    const house = openOutbox();
    await house.start();
    await ask(house);
    await end(house);
    expect(house.platform.ended).toEqual([ended]);
    expect(house.texts()).toEqual(["Shall I?"]);
    expect(await house.rows()).toMatchObject([
      { state: "sent", body: "", choices: null },
      { state: "sent", body: "", external: "m1" },
    ]);
    await house.stop();
  });

  test("of a notice that was never planned are ignored", async () => {
    const house = openOutbox();
    expect(await house.notices.planChoicesEnd({ ...asks, text: "x" })).toEqual([]);
  });

  test("wait as long as the platform asks, and are retried when no answer came", async () => {
    const house = openOutbox();
    await house.start();
    await ask(house);
    const error = problem("channel.rate-limited");
    house.platform.ends.push({ kind: "later", error, retryAfterMs: 40_000 }, { kind: "unknown", error });
    await end(house);
    await house.world.advance(39_000);
    expect(house.platform.ended).toHaveLength(1);
    await house.world.advance(60_000);
    await house.settle();
    expect(house.platform.ended).toEqual([ended, ended, ended]);
    expect(await states(house)).toEqual(["sent", "sent"]);
    await house.stop();
  });

  test("are removed after a restart when the daemon ended in the middle", async () => {
    const first = openOutbox();
    await first.start();
    await ask(first);
    await first.stop();
    const [writes] = [await first.notices.planChoicesEnd({ ...asks, text: ended.text })];
    await first.store.commit({ writes });
    const [, row] = await first.rows();
    await first.store.commit({
      writes: [
        { kind: "update", table: "outbox", where: { id: row?.id ?? "" }, set: { state: "sending", attempts: 1 } },
      ],
    });
    const second = openOutbox({ store: first.store });
    await second.start();
    expect(second.platform.ended).toEqual([ended]);
    expect(await states(second)).toEqual(["sent", "sent"]);
    await second.stop();
  });

  test("are left out when the notice is sent later", async () => {
    const house = openOutbox();
    await house.store.commit({ writes: await house.notices.planNotice({ ...asks, text: "Shall I?", choices }) });
    await house.store.commit({ writes: await house.notices.planChoicesEnd({ ...asks, text: ended.text }) });
    await house.start();
    expect(house.platform.arrived).toMatchObject([{ text: "Shall I?" }]);
    expect(house.platform.arrived[0]?.choices).toBeUndefined();
    expect(house.platform.ended).toEqual([ended]);
    await house.stop();
  });

  test("are left out when a person resends a notice with an unknown outcome", async () => {
    const house = openOutbox();
    await house.start();
    answers(house.platform, { kind: "unknown", error: problem() });
    await ask(house);
    await end(house);
    expect(await states(house)).toEqual(["unknown", "refused"]);
    expect(house.platform.ended).toEqual([]);
    const [notice] = await house.rows();
    await house.outbox.decide(notice?.id ?? "", "resend", PERSON);
    await house.settle();
    expect(house.platform.arrived.map(({ choices: shown }) => shown)).toEqual([undefined]);
    await house.stop();
  });

  test("pass the same check as messages", async () => {
    const asked: unknown[] = [];
    const pass: PassDelivery = async ({ text }, begin) => {
      asked.push(text);
      await begin();
      return { text: text.replace("Ana", "[left out]") };
    };
    const house = openOutbox({ pass });
    await house.start();
    await ask(house);
    await end(house);
    expect(asked).toEqual(["Shall I?", "Denied by Ana."]);
    expect(house.platform.ended).toEqual([{ ...ended, text: "Denied by [left out]." }]);
    await house.stop();
  });
});
