import { expect, test } from "bun:test";
import type { ActivationId, EventId } from "@hearth/protocol";
import { numbers, setUp } from "./fake-reading.ts";

test("cut, silenced and restarted at random it shows what the house has: nothing lost, nothing double, nothing left over", async () => {
  for (let round = 1; round <= 20; round += 1) {
    const { world, house, open, settle, random } = setUp();
    for (let skip = 0; skip < round * 7; skip += 1) random();
    const chance = (below: number): boolean => random() < below;
    for (const text of numbers(50)) house.say(text);
    house.wire.cutAfter(() => 3 + Math.floor(random() * 40));
    const { reader, snapshots } = open();
    const running: ActivationId[] = [];
    const failed: ActivationId[] = [];
    const causes = new Map<ActivationId, EventId>();
    for (let count = 0; count < 60; count += 1) {
      house.wire.setBatch(1 + Math.floor(random() * 4));
      const message = house.say(`said ${count}`);
      if (chance(0.3)) reader.send(`own ${count}`);
      if (chance(0.2)) house.edit(message.id, `edited ${count}`);
      if (chance(0.1)) house.remove(message.id);
      if (chance(0.4)) {
        const id = house.queue(message.id);
        house.run(id);
        running.push(id);
        causes.set(id, message.id);
      }
      for (const id of running) if (chance(0.5)) house.delta(id, { type: "text-delta", text: `${count} ` });
      if (running.length > 0 && chance(0.5)) {
        const [id] = running.splice(Math.floor(random() * running.length), 1) as [ActivationId];
        const state = chance(0.7) ? "replied" : "failed";
        if (state === "failed") failed.push(id);
        house.finish(id, state, `reply ${count}`);
      }
      if (chance(0.05)) house.wire.restart();
      if (chance(0.05)) house.wire.cut();
      if (chance(0.03)) house.wire.silence();
      house.fail("post", chance(0.3) ? "house.unreachable" : undefined);
      if (chance(0.6)) await world.advance(Math.floor(random() * 400));
    }
    house.fail("post");
    house.wire.cutAfter(undefined);
    house.wire.cut();
    // Own messages are sent one at a time, each followed by its turns.
    for (let count = 0; count < 20; count += 1) await settle(10_000);
    while (reader.snapshot().hasOlder) {
      const loading = reader.loadOlder();
      await settle();
      await loading;
    }
    const events = house.wire.read(`room:${house.room.id}`);
    const stored = events.filter((event) => event.type === "message");
    const { messages, live, ended, pending } = reader.snapshot();
    expect(messages.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    const deleted = new Set(events.flatMap((event) => (event.type === "message-deleted" ? [event.message] : [])));
    expect(
      messages
        .filter(({ isDeleted }) => isDeleted)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([...deleted].toSorted());
    for (const { message, body } of events.filter((event) => event.type === "message-edited"))
      if (!deleted.has(message)) expect(messages.find(({ id }) => id === message)?.text).toBe(body.text);
    expect(live.map(({ id }) => id).toSorted()).toEqual(running.toSorted());
    const standing = failed.filter((id) => !deleted.has(causes.get(id)!));
    expect(ended.map(({ id }) => id).toSorted()).toEqual(standing.toSorted());
    expect(pending).toEqual([]);
    for (const snapshot of snapshots) {
      const replied = new Set(snapshot.messages.map(({ activation }) => activation));
      expect(snapshot.live.some(({ id }) => replied.has(id))).toBe(false);
    }
  }
});
