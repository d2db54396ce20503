/**
 * Forgotten text is in no file of the home, while the house runs and after a restart. Other text is
 * kept.
 */
import { expect, test } from "bun:test";
import { createHome } from "./daemon.ts";
import { createModel, type Piece } from "./model.ts";
import {
  WORD,
  SECRET,
  BESIDE,
  LIMIT_MS,
  open,
  turn,
  holdersOf,
  eventsOf,
  untilLogged,
  requireGone,
} from "./forgotten.ts";

test(
  "forgetting a message erases it from memory, replies, the day's log, summaries and the room",
  async () => {
    using home = createHome();
    await using model = createModel();
    await using house = await open(home.folder, model);
    const remember = (text: string): Exclude<Piece, string> => ({ tool: "remember", input: { text } });
    await turn(house, model, SECRET, [remember(SECRET)], `Noted: ${WORD}.`);
    await turn(house, model, BESIDE, [remember(BESIDE)], "Noted.");
    await turn(house, model, "which was it?", [{ tool: "recall", input: { query: "locker" } }], "It is written down.");
    await untilLogged(house, home.folder);
    expect((await house.hearth("agent", "compact", "main")).code).toBe(0);
    const given = await turn(house, model, "and now?", [], "Now it is short.");
    expect(given).toContain("They spoke of this");
    expect((await holdersOf(home.folder, WORD)).length).toBeGreaterThan(3);

    const [said] = await eventsOf(house);
    const { code, stdout, stderr } = await house.hearth("memory", "forget", said.id);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("MEMORY.md");
    const events = await eventsOf(house);
    expect(events[0]).toMatchObject({ id: said.id, offset: said.offset, body: { text: "" } });
    expect(events.filter(({ type }) => type === "message-deleted").map(({ message }) => message)).toContain(said.id);
    const [compaction] = (await house.ask("GET", "/api/agents/main/compactions")).json;
    expect(compaction).toMatchObject({ state: "over", reason: "Its source was forgotten." });
    await using again = await requireGone(house, model, home.folder);
    await again.stop();
  },
  LIMIT_MS,
);
