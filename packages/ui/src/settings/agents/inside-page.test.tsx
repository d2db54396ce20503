/** The context page of an agent shows each fact that it has, and leaves out the others. */
import { expect, test } from "bun:test";
import { type AgentIntrospection, RoomId } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeUi, fakeEntry, fakeMain } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { ContextView, describeAmbient } from "./inside-page.tsx";

const ambient = { debounceMs: 1500, cooldown: true, relevance: "words" } as const;
type Room = AgentIntrospection["rooms"][number];
const idle: Room = { room: fakeEntry.room.id, queued: 0, running: 0, waiting: 0, read: 3, head: 3 };

const draw = (
  config: Partial<AgentIntrospection["config"]> = {},
  rooms: readonly Room[] = [],
  state: Partial<AgentIntrospection["state"]> = {},
): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <ContextView
        introspection={{
          state: { agent: fakeMain.id, agentName: "Main", status: "idle", ...state },
          config: {
            ...{ model: "den/large", fallback: [], tools: [], cell: "auto", queue: "steer", triggerMode: "mention" },
            ...{ timezone: "Europe/Berlin", promptLength: 1200, ambient },
            ...config,
          } as AgentIntrospection["config"],
          rooms: [...rooms],
          last: [],
        }}
      />
    </UiProvider>,
  );
/** The names and values of the facts. */
const factsOf = (markup: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...markup.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll(/<[^>]*>/g, ""),
    ]),
  );
/** The text beside the name of the only room. */
const aboutRoom = (room: Partial<Room>): string | undefined =>
  /<li[^>]*>.*?<span[^>]*>[^<]*<\/span><span[^>]*>([^<]*)<\/span>/.exec(draw({}, [{ ...idle, ...room }]))?.[1];

test.each([
  [{}, ""],
  [{ running: 1 }, "1 running"],
  [{ queued: 2 }, "2 queued"],
  [{ waiting: 3 }, "3 waiting for approval"],
  [{ read: 2 }, "read 2 of 3 messages"],
  [
    { ambient: { activation: "act_1", cause: "evt_1", readyAt: 1 } as never },
    "waiting for a pause in the conversation",
  ],
  [{ running: 1, queued: 1, read: 0 }, "1 running · 1 queued · read 0 of 3 messages"],
] as const)("a room with %j is described as %j", (room, text) => {
  expect(aboutRoom(room)).toBe(text);
});

test("a room has its name, and its id if it is not in the list of rooms", () => {
  const gone = RoomId.parse(`room_${"9".repeat(26)}`);
  const markup = draw({}, [idle, { ...idle, room: gone }]);
  expect(markup).toContain(">Main</span>");
  expect(markup).toContain(`>${gone}</span>`);
  expect(markup).not.toContain("No active runs or pending messages");
  expect(draw()).toContain("No active runs or pending messages");
});

test("facts without a value are left out, and an empty list of tools says so", () => {
  const bare = factsOf(draw());
  expect(bare).toMatchObject({ Status: "Idle", Model: "large by den", Tools: "None", "Time zone": "Europe/Berlin" });
  expect(Object.keys(bare)).not.toContain("Fallback models");
  expect(Object.keys(bare)).not.toContain("Relevance check");
  expect(draw()).not.toContain("<time");
  const full = factsOf(
    draw({ fallback: ["den/small", "den/tiny"], tools: ["read", "write"], triggerMode: "ambient" }, [], {
      lastActivity: 1,
    }),
  );
  expect(full).toMatchObject({ "Fallback models": "den/small, den/tiny", Tools: "Read files, Write files" });
  expect(full["Relevance check"]).toBe(describeAmbient(ambient));
  expect(full["Status"]).toStartWith("Idle · ");
});

test.each([
  [ambient, "Responds after a pause of 1.5 s; cooldown after its own message; relevance check by keywords"],
  [
    { debounceMs: 0, cooldown: false, relevance: "off" },
    "Responds after a pause of 0 s; no cooldown; no relevance check",
  ],
  [
    { debounceMs: 3000, cooldown: true, relevance: "model" },
    "Responds after a pause of 3 s; cooldown after its own message; relevance check by model",
  ],
] as const)("an ambient agent with %j is described in words", (settings, text) => {
  expect(describeAmbient(settings)).toBe(text);
});
