import { expect, test } from "bun:test";
import {
  ActivationDetail,
  type ActivationId,
  type AgentIntrospection,
  type Level,
  noUsage,
  SessionId,
} from "@hearth/protocol";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import {
  createFakeAgent,
  createFakeMe,
  createFakeRoom,
  createFakeUi,
  type FakeUiOptions,
  fakeEntry,
  fakeHouse,
  fakeMain,
  fakeOwner,
} from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { ActivityList } from "./activity-page.tsx";
import { ActivityDetail } from "./activity-row.tsx";
import { AgentTools } from "./agent-tools.tsx";
import { GiveLevel } from "./give-level.tsx";
import { Inside } from "./inside-page.tsx";
import { KeyList } from "./keys-section.tsx";
import { MembersPage } from "./members-page.tsx";
import { NewRoomPage } from "./new-room-page.tsx";
import { PasswordForm, tellSet } from "./password-section.tsx";
import { LevelList } from "./place-levels.tsx";
import { RoomSettings } from "./room-settings.tsx";
import { tellMembers } from "./rooms-page.tsx";
import { SessionList } from "./sessions-section.tsx";
import { SettingsPage } from "./settings-page.tsx";

const draw = (content: ReactNode, options: FakeUiOptions = {}): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi(options)}>
      <Router ssrPath="/settings">{content}</Router>
    </UiProvider>,
  );
const pageAs = (path: string, level: Level | undefined): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi({ houseSnapshot: { me: createFakeMe(level) } })}>
      <Router ssrPath={path}>
        <SettingsPage />
      </Router>
    </UiProvider>,
  );
const tabs = (markup: string): readonly string[] => {
  const [nav = ""] = /<nav.*?<\/nav>/.exec(markup) ?? [];
  return [...nav.matchAll(/<a[^>]*>([^<]*)/g)].map(([, title]) => title ?? "");
};
const buttons = (markup: string): readonly string[] =>
  [...markup.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, inner = ""]) => inner.replace(/<[^>]*>/g, ""));

test("models and the daemon are for who looks after the home, and nobody else is shown a way there", () => {
  const all = ["General", "Account", "Agents", "Members", "Rooms", "Models", "System"];
  expect(tabs(pageAs("/settings", "x"))).toEqual(all);
  for (const level of ["w", "r", undefined] as const) expect(tabs(pageAs("/settings", level))).toEqual(all.slice(0, 5));
});

test("who does not decide sees what is there, and is offered nothing that would be refused", () => {
  for (const level of ["r", "w"] as const) {
    expect(pageAs("/settings", level)).not.toContain(">House</h2>");
    const agents = pageAs("/settings/agents", level);
    expect(agents).toContain("Main");
    expect(agents).not.toContain("New agent");
    expect(buttons(agents)).toEqual([]);
    const agent = pageAs("/settings/agents/main", level);
    expect(agent).toContain('href="/settings/agents/main/activity"');
    expect(agent).not.toContain("/inside");
    expect(buttons(agent)).toEqual([]);
    for (const path of ["models", "system", "new-agent", "agents/main/inside"])
      expect(pageAs(`/settings/${path}`, level)).toContain("for those who decide in this house");
  }
  expect(pageAs("/settings/new-room", "r")).toContain("for those who decide in this house");
  expect(pageAs("/settings/agents/main", undefined)).not.toContain("/activity");
});

test("a room is offered to be made to who speaks in the house", () => {
  expect(pageAs("/settings/rooms", "w")).toContain('href="/settings/new-room"');
  expect(pageAs("/settings/rooms", "r")).not.toContain("new-room");
  expect(draw(<NewRoomPage house={fakeHouse} />)).toContain("Make room</button>");
});

test("everybody reads what they may do in the house, and who decides also what others may", () => {
  const show = (level: Level | undefined): string => draw(<MembersPage house={fakeHouse} me={createFakeMe(level)} />);
  expect(show("x")).toContain("You decide here.");
  expect(show("x")).toContain("Who may do what");
  expect(show("r")).toContain("You can read here.");
  expect(show("r")).not.toContain("Who may do what");
  expect(show(undefined)).toContain("In the house as a whole you may do nothing");
});

const row = { agent: fakeMain.id, record: fakeMain, level: "w", source: "here", given: "w" } as const;

test("a level that was given can be changed and taken away, one that follows from elsewhere says from where", () => {
  const kitchen = createFakeRoom(2, "Kitchen");
  const list = (place: typeof kitchen | typeof fakeHouse, ...rows: Parameters<typeof LevelList>[0]["rows"]): string =>
    draw(<LevelList place={place} rows={rows} onChange={() => {}} />);
  const given = list(fakeHouse, row);
  expect(given).toMatch(/<select[^>]*aria-label="What Main may do"/);
  expect(given).toMatch(/<option value="w" selected="">Speaks<\/option>/);
  expect(given).toContain("Take away");
  const inherited = list(kitchen, { ...row, source: "house", given: undefined });
  expect(inherited).toContain("Bot · by the house");
  expect(inherited).not.toContain("What Main may do");
  expect(list(kitchen, { ...row, source: "member", given: undefined })).toContain("Bot · takes part");
  expect(list(kitchen, row)).toContain("Bot · for this room");
  expect(list(kitchen, { ...row, level: "x" })).toContain("Bot · for this room; decides by the house");
  expect(list(fakeHouse, { ...row, record: undefined })).toContain("Somebody from another house");
});

test("a level is given to who has none there", () => {
  const markup = draw(<GiveLevel place={fakeHouse} agents={[fakeMain]} onGiven={() => {}} />);
  expect(markup).toMatch(/<option[^>]*>Main<\/option>/);
  expect(markup).toMatch(/<button[^>]*disabled=""[^>]*>Give/);
  expect(draw(<GiveLevel place={fakeHouse} agents={[]} onGiven={() => {}} />)).toBe("");
});

test("a room's page is a form for who decides there, and sentences for everybody else", () => {
  const room = createFakeRoom(2, "Kitchen", {
    description: "Where meals are planned.",
    members: [fakeOwner.id, fakeMain.id],
    admission: { block: [fakeMain.id] },
  });
  const show = (level: Level): string => draw(<RoomSettings room={room} me={createFakeMe(level)} />);
  const decides = show("x");
  for (const label of ["Save", "Change who may wake agents", "Remove Kitchen"])
    expect(buttons(decides)).toContain(label);
  expect(decides).toMatch(/checked=""[^>]*value="some"|value="some"[^>]*checked=""/);
  const speaks = show("w");
  expect(buttons(speaks)).toEqual([]);
  for (const words of ["Where meals are planned.", "Ada", "Never: Main.", "You can read and speak here."])
    expect(speaks).toContain(words);
  expect(speaks).toContain('href="/settings/rooms/kitchen/activity"');
  const direct = createFakeRoom(1, "Main", { kind: "direct", members: [fakeOwner.id, fakeMain.id] });
  expect(draw(<RoomSettings room={direct} me={createFakeMe("x")} />)).not.toContain("This room is for");
});

test("how many take part is told in a word", () => {
  expect([
    tellMembers({ kind: "direct", members: ["a", "b"] }),
    tellMembers({ kind: "group" }),
    tellMembers({ kind: "group", members: ["a"] }),
    tellMembers({ kind: "group", members: ["a", "b"] }),
  ]).toEqual(["Between two.", "Open to the whole house.", "1 takes part.", "2 take part."]);
});

const detail = (more: object = {}) =>
  ActivationDetail.parse({
    ...{ id: `act_${"1".repeat(26)}`, agent: fakeMain.id, room: fakeEntry.room.id, trigger: "ambient" },
    ...{ cause: `evt_${"1".repeat(26)}`, state: "skipped", skip: "relevance", usage: noUsage, depth: 2, createdAt: 1 },
    ...{ steps: [], parts: [], ...more },
  });

test("the activity lists what woke whom, what came of it and why, and can be unfolded", () => {
  const list = (showsAgent: boolean): string => draw(<ActivityList activations={[detail()]} showsAgent={showsAgent} />);
  expect(list(false)).toMatch(/<button type="button" aria-expanded="false"/);
  expect(list(false)).toContain("Kept quiet: did not concern it");
  expect(list(false)).toContain("In Main · Talk that may concern it");
  expect(list(true)).toContain("Main · Talk that may concern it");
  expect(draw(<ActivityList activations={[]} showsAgent />)).toContain("Nothing, or nothing of this kind.");
});

test("what is unfolded says which message it was, why it ended so, and every step", () => {
  const steps = [
    { activation: detail().id, step: -1, kind: "model", name: "small", effect: "pure", state: "done", glimpse: "NO" },
    { activation: detail().id, step: 0, kind: "tool", name: "write", effect: "plain", state: "unknown" },
  ].map((step) => ({ ...step, startedAt: 0, endedAt: 420 }));
  const message = { author: fakeOwner.id, at: 1, text: "What is for dinner?" };
  const markup = draw(<ActivityDetail detail={detail({ steps, message })} />);
  expect(markup).toContain("What was said did not concern it.");
  expect(markup).toContain("Ada: What is for dinner?");
  expect(markup).toMatch(/href="\/rooms\/main">Go to Main<\/a>/);
  expect(markup).toMatch(/Bots before it<\/dt><dd>2/);
  expect(markup).toMatch(
    /Asked whether this concerns it[^]*NO[^]*420 ms[^]*Used write[^]*Nobody knows what came of it/,
  );
  const bare = draw(<ActivityDetail detail={detail()} />);
  expect(bare).toContain("It was deleted.");
  expect(bare).toContain("No model and no tool was asked.");
});

test("inside an agent is what its next time awake is given", () => {
  const inside: AgentIntrospection = {
    state: { agent: fakeMain.id, agentName: "Main", status: "queued" },
    config: {
      ...{ model: "den/large", fallback: ["den/small"], tools: ["read"], cell: "auto", queue: "steer" },
      ...{ triggerMode: "ambient", timezone: "UTC", promptLength: 1200 },
      ambient: { debounceMs: 1500, cooldown: true, relevance: "words" },
    },
    rooms: [
      {
        ...{ room: fakeEntry.room.id, queued: 1, running: 0, waiting: 0, read: 3, head: 5 },
        ambient: { activation: detail().id as ActivationId, cause: detail().cause, readyAt: 1 },
      },
    ],
    last: [detail()],
  };
  const markup = draw(<Inside inside={inside} />);
  for (const words of [
    "Queued",
    "large by den",
    "den/small",
    "Looks after 1.5 s of silence; quiet after it spoke",
    "The fastest one with walls that works here",
    "Take them in",
    "1,200",
  ])
    expect(markup).toContain(words);
  expect(markup).toContain("1 queued · waits for a silence · has looked at 3 of 5");
  expect(markup).toContain("Kept quiet: did not concern it");
});

test("the tools of an agent are as its record says", () => {
  const tools = (list: readonly string[] | undefined): string =>
    draw(<AgentTools agent={createFakeAgent(2, "Main", list === undefined ? {} : { tools: [...list] })} />);
  expect(tools(undefined)).toContain("uses every tool that needs no person");
  expect(tools([])).toContain("Main uses no tool.");
  expect(tools(["read"])).toContain("<code>read</code>");
});

test("a password asks for the present one where the house does, and says what else setting it did", () => {
  const form = (isSet: boolean, needsCurrent: boolean): string =>
    draw(<PasswordForm person={fakeOwner} isOwn state={{ isSet, needsCurrent }} onSet={() => {}} />);
  expect(form(true, true)).toContain("Password as it is now");
  expect(form(true, false)).not.toContain("Password as it is now");
  expect(form(false, false)).toContain("Set password</button>");
  expect(form(true, false)).toContain("Change password</button>");
  expect([tellSet(0, true), tellSet(1, true), tellSet(2, false)]).toEqual([
    "Saved",
    "Saved. 1 other browser was logged out.",
    "Saved. 2 browsers were logged out.",
  ]);
});

test("where one is logged in can be ended everywhere but here", () => {
  const session = (count: number, isThis: boolean) => ({
    ...{ id: SessionId.parse(`ses_${String(count).padStart(26, "0")}`), agent: fakeOwner.id, isThis },
    ...{ about: "Firefox/1 Linux", createdAt: 1, expiresAt: 2 },
  });
  const list = (...sessions: ReturnType<typeof session>[]): string =>
    draw(<SessionList sessions={sessions} onEnded={() => {}} />);
  expect(buttons(list(session(1, true), session(2, false)))).toEqual(["End", "End all others"]);
  expect(list(session(1, true), session(2, false))).toContain('aria-label="End the login of Firefox on Linux"');
  expect(buttons(list(session(1, true)))).toEqual([]);
  expect(list(session(1, true))).toContain("You are logged in nowhere else.");
});

test("a key says what it may at most and until when", () => {
  const key = { id: `key_${"1".repeat(26)}`, name: "lamp", agent: fakeMain.id, createdAt: 1 } as never as Parameters<
    typeof KeyList
  >[0]["keys"][number];
  const list = (more: object): string =>
    draw(<KeyList keys={[{ ...key, ...more }]} agents={[fakeMain]} isOfOne onRevoked={() => {}} />, { now: 1000 });
  expect(list({})).not.toContain("For Main");
  expect(list({ scope: { level: "w" } })).toContain("Speaks at most · ");
  expect(list({ scope: { level: "r", on: [fakeHouse.id] } })).toContain("Reads at most, in some places only · ");
  expect(list({ expiresAt: 900 })).toContain("has expired");
  expect(list({ expiresAt: Date.UTC(2030, 5, 15) })).toMatch(/until .*2030/);
});

test("who decides in a house that is not the home names a model, for which there are they are not told", () => {
  const { home: _, ...elsewhere } = createFakeMe("x");
  const ui = createFakeUi({ houseSnapshot: { me: elsewhere } });
  const show = (path: string): string =>
    renderToStaticMarkup(
      <UiProvider value={ui}>
        <Router ssrPath={path}>
          <SettingsPage />
        </Router>
      </UiProvider>,
    );
  const agent = show("/settings/agents/main");
  expect(agent).toMatch(/<input[^>]*value="offline\/basic"/);
  expect(agent).not.toContain("Change model");
  const made = show("/settings/new-agent");
  expect(made).toContain("On the next page you name the model");
  expect(made).not.toContain("Its model comes from");
  expect(tabs(agent)).not.toContain("Models");
});

test("an agent that runs elsewhere has keys, and nothing that the house would do for it", () => {
  const remote = createFakeAgent(2, "Main", { runs: "elsewhere" });
  const agents = new Map([fakeOwner, remote].map((agent) => [agent.id, agent]));
  const show = (path: string): string =>
    renderToStaticMarkup(
      <UiProvider value={createFakeUi({ houseSnapshot: { agents } })}>
        <Router ssrPath={path}>
          <SettingsPage />
        </Router>
      </UiProvider>,
    );
  expect(show("/settings/agents")).toContain("A program elsewhere");
  const markup = show("/settings/agents/main");
  expect([...markup.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
    ...["Main", "Where it runs", "Keys", "Remove"],
  ]);
  for (const gone of ["/activity", "/inside", "Instructions"]) expect(markup).not.toContain(gone);
  expect(show("/settings/new-agent")).toContain("An agent that runs elsewhere");
});
