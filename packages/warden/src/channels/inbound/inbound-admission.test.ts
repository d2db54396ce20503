/** Tests which senders a channel account admits. */
import { expect, test } from "bun:test";
import type { Admission } from "@hearth/protocol";
import { group, openChannelHouse, update } from "../../fixtures/channel-house.ts";

const open = (admission: Admission) => openChannelHouse({ settings: { admission } });
const outcome = async (accepted: Promise<{ kind: string; fate?: string }>): Promise<string> => {
  const { kind, fate } = await accepted;
  return fate ?? kind;
};

test("an allow list admits its senders without a code, and no other sender, paired or not", async () => {
  const house = await open({ mode: "allow", allow: ["s1"] });
  await house.allow("s2");
  expect(await outcome(house.inbound.accept("tele", update(1)))).toBe("accepted");
  for (const [index, id] of ["s2", "s3"].entries())
    expect(await outcome(house.inbound.accept("tele", update(2 + index, { sender: { id, name: "Eve" } })))).toBe(
      "unlisted",
    );
  expect(await house.store.select({ table: "outbox" })).toEqual([]);
  const refused = await house.inbound.listRefused("tele", 10);
  expect(refused.map(({ sender, fate }) => `${sender} ${fate}`).toSorted()).toEqual(["s2 unlisted", "s3 unlisted"]);
});

test("B5: an empty list admits no sender", async () => {
  const house = await open({ mode: "allow" });
  await house.allow();
  expect(await outcome(house.inbound.accept("tele", update(1)))).toBe("unlisted");
  expect(await house.said()).toEqual([]);
});

test("an open account creates one person per sender, without a level in the house", async () => {
  const house = await open({ mode: "open" });
  for (const number of [1, 2]) expect(await outcome(house.inbound.accept("tele", update(number)))).toBe("accepted");
  const people = (await house.records.list("agent")).filter(
    ({ content, id }) => content.kind === "human" && id !== house.owner.id,
  );
  expect(people.map(({ content }) => content.name)).toEqual(["Ana"]);
  expect((await house.said()).map((event) => event.type === "message" && event.author)).toEqual(
    Array(2).fill(people[0]?.id),
  );
  expect(await house.store.select({ table: "grants", where: { agent: people[0]?.id ?? "" } })).toEqual([]);
  expect(await house.pairings.list()).toMatchObject([
    { sender: "s1", state: "allowed", person: people[0]?.id as never },
  ]);
});

test("an open account does not admit blocked senders", async () => {
  const house = await open({ mode: "open", block: ["s9"] });
  const hear = (number: number, id = "s1") =>
    outcome(house.inbound.accept("tele", update(number, { sender: { id, name: "Ana" } })));
  await hear(1);
  await house.pairings.block("tele", "s1", house.owner.id);
  expect([await hear(2), await hear(3, "s9")]).toEqual(["blocked", "blocked"]);
});

test("an account for direct conversations accepts nothing from a group", async () => {
  const house = await open({ directOnly: true });
  await house.allow();
  expect(await outcome(house.inbound.accept("tele", group(1, { isMention: true })))).toBe("not-direct");
  expect(await outcome(house.inbound.accept("tele", update(2)))).toBe("accepted");
});

test("an account that requires mentions accepts mentions, and every message of exempt senders", async () => {
  const house = await open({ mentionRequired: true, wake: ["s2"] });
  await house.allow();
  await house.allow("s2");
  const hear = (inbound: ReturnType<typeof update>) => outcome(house.inbound.accept("tele", inbound));
  expect(await hear(group(1))).toBe("not-mentioned");
  expect(await hear(group(2, { isMention: true }))).toBe("accepted");
  expect(await hear(update(3))).toBe("not-mentioned");
  expect(await hear(update(4, { text: "@main hello" }))).toBe("accepted");
  expect(await hear(group(5, { sender: { id: "s2", name: "Ben" } }))).toBe("accepted");
  // It edits a message that was accepted.
  expect(await hear(update(6, { kind: "edit", messageId: "p4", text: "hello" }))).toBe("accepted");
  expect(await hear(update(7, { kind: "edit", messageId: "p3", text: "still no name" }))).toBe("not-mentioned");
  const said = (await house.said()).filter((event) => event.type === "message");
  expect(said.map(({ mentions }) => mentions)).toEqual(Array(3).fill([house.bot.id]));
});

test("in a group, a message of a sender who always wakes the agent counts as a mention", async () => {
  const house = await open({ wake: ["s1"] });
  await house.allow();
  await house.allow("s2");
  await house.inbound.accept("tele", group(1));
  await house.inbound.accept("tele", group(2, { sender: { id: "s2", name: "Ben" } }));
  expect((await house.said()).map((event) => event.type === "message" && event.mentions)).toEqual([[house.bot.id], []]);
});
