import { expect, test } from "bun:test";
import {
  type ActivationId,
  type AgentIntrospection,
  type HouseRecord,
  type Level,
  noUsage,
  type Right,
  type RoomRecord,
} from "@hearth/protocol";
import { ActivationDetail } from "@hearth/protocol/api";
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
} from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { ActivityList } from "../activity/activity-page.tsx";
import { ActivityDetail } from "../activity/activity-row.tsx";
import { GiveLevel } from "./give-level.tsx";
import { ContextView } from "../agents/inside-page.tsx";
import { KeyList } from "../keys/keys-section.tsx";
import { MembersPage } from "./members-page.tsx";
import { NewRoomPage } from "../rooms/new-room-page.tsx";
import { PasswordForm, describeSet } from "../account/password-section.tsx";
import { LevelList } from "./place-levels.tsx";
import { RightBoxes } from "./rights-field.tsx";
import { RoomSettings } from "../rooms/room-settings.tsx";
import { describeMembers } from "../rooms/rooms-page.tsx";
import { SettingsPage } from "../settings-page.tsx";

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

/** The tabs that every member sees. */
const everyone = [
  "General",
  "Account",
  "Notifications",
  "Agents",
  "Members",
  "Rooms",
  "Usage &amp; limits",
  "API keys",
];

test("only users who administer the installation see models, web access, channels and system", () => {
  const all = [
    ...everyone,
    "Models",
    "Web &amp; secrets",
    "Channels",
    "Sandboxes",
    "Backup &amp; storage",
    "Audit",
    "System",
  ];
  expect(tabs(pageAs("/settings", "x")).toSorted()).toEqual(all.toSorted());
  for (const level of ["w", "r", undefined] as const) expect(tabs(pageAs("/settings", level))).toEqual(everyone);
});

test("who is not an admin sees no controls that would be refused", () => {
  for (const level of ["r", "w"] as const) {
    expect(pageAs("/settings", level)).not.toContain(">House</h2>");
    const agents = pageAs("/settings/agents", level);
    expect(agents).toContain("Main");
    expect(agents).not.toContain("Add agent");
    expect(buttons(agents)).toEqual([]);
    const agent = pageAs("/settings/agents/main", level);
    expect(agent).toContain('href="/settings/agents/main/activity"');
    expect(agent).not.toContain("/inside");
    expect(buttons(agent)).toEqual([]);
    for (const path of ["models", "web", "channels", "audit", "system", "new-agent", "import", "agents/main/inside"])
      expect(pageAs(`/settings/${path}`, level)).toContain("Only admins of this house");
  }
  expect(pageAs("/settings/new-room", "r")).toContain("Only admins of this house");
  expect(pageAs("/settings/agents/main", undefined)).not.toContain("/activity");
});

test("members of the house can create rooms", () => {
  expect(pageAs("/settings/rooms", "w")).toContain('href="/settings/new-room"');
  expect(pageAs("/settings/rooms", "r")).not.toContain("new-room");
  expect(draw(<NewRoomPage house={fakeHouse} />)).toContain("Create room</button>");
});

test("everyone sees their own role, and admins see the roles of all members", () => {
  const show = (level: Level | undefined): string => draw(<MembersPage house={fakeHouse} me={createFakeMe(level)} />);
  expect(show("x")).toContain("You are an admin.");
  expect(show("x")).toContain("Access");
  expect(show("r")).toContain("You are a viewer: you can read here.");
  expect(show("r")).not.toContain("Access");
  expect(show(undefined)).toContain("You have no role in this house");
});

const row = {
  agent: fakeMain.id,
  record: fakeMain,
  level: "w",
  source: "here",
  grantedLevel: "w",
  rights: [],
} as const;

test("a granted role can be changed and removed; an inherited one shows its source", () => {
  const kitchen = createFakeRoom(2, "Kitchen");
  const list = (place: typeof kitchen | typeof fakeHouse, ...rows: Parameters<typeof LevelList>[0]["rows"]): string =>
    draw(<LevelList place={place} rows={rows} onChange={() => {}} />);
  const given = list(fakeHouse, row);
  expect(given).toMatch(/<select[^>]*aria-label="Role of Main"/);
  expect(given).toMatch(/<option value="w" selected="">Member<\/option>/);
  expect(given).toContain("Remove access");
  const inherited = list(kitchen, { ...row, source: "house", grantedLevel: undefined });
  expect(inherited).toContain("Agent · inherited from the house");
  expect(inherited).not.toContain("Role of Main");
  expect(list(kitchen, { ...row, source: "member", grantedLevel: undefined })).toContain("Agent · member of this room");
  expect(list(kitchen, row)).toContain("Agent · set for this room");
  expect(list(kitchen, { ...row, level: "x" })).toContain("Agent · set for this room; house role: Admin");
  expect(list(fakeHouse, { ...row, record: undefined })).toContain("Member of another house");
});

test("a person below the role of an admin can have rights in a house, an agent and a room cannot", () => {
  const person = { ...row, agent: fakeOwner.id, record: fakeOwner, rights: ["audit"] } as const;
  const list = (place: HouseRecord | RoomRecord, one: Parameters<typeof LevelList>[0]["rows"][number]) =>
    draw(<LevelList place={place} rows={[one]} onChange={() => {}} />);
  /** The text of the button that opens the rights of a row. */
  const rightsIn = (markup: string) => /aria-label="[^"]*: change the rights of [^"]*"[^>]*>([^<]*)/.exec(markup)?.[1];
  expect(rightsIn(list(fakeHouse, person))).toBe("Audit log");
  expect(rightsIn(list(fakeHouse, { ...person, rights: [] }))).toBe("No other rights");
  expect(rightsIn(list(fakeHouse, { ...person, level: "x", grantedLevel: "x" }))).toBeUndefined();
  expect(rightsIn(list(fakeHouse, row))).toBeUndefined();
  expect(rightsIn(list(createFakeRoom(2, "Kitchen"), person))).toBeUndefined();
});

test("the right to manage providers is offered only in the first house", () => {
  const boxes = (isHome: boolean) =>
    [
      ...draw(<RightBoxes label="Rights" rights={["audit"]} isHome={isHome} onChange={() => {}} />).matchAll(
        /<input type="checkbox"([^>]*)\/><span>([^<]*)/g,
      ),
    ].map(([, props = "", label]) => [label, props.includes("checked")]);
  expect(boxes(true)).toEqual([
    ["Model providers", false],
    ["Secrets", false],
    ["Audit log", true],
    ["Approvals", false],
  ]);
  expect(boxes(false).map(([label]) => label)).toEqual(["Secrets", "Audit log", "Approvals"]);
});

test("a person with single rights sees their pages and the duties, and no other page of an admin", () => {
  const pages = (...rights: readonly Right[]): string => {
    const me = createFakeMe("w");
    const permissions = me.permissions.map((permission) => ({ ...permission, rights: [...rights] }));
    const ui = createFakeUi({ houseSnapshot: { me: { ...me, permissions } } });
    const at = (path: string) =>
      renderToStaticMarkup(
        <UiProvider value={ui}>
          <Router ssrPath={path}>
            <SettingsPage />
          </Router>
        </UiProvider>,
      );
    const extra = tabs(at("/settings")).filter((title) => !everyone.includes(title));
    const refused = ["models", "web", "channels", "audit", "system"].filter((path) =>
      at(`/settings/${path}`).includes("Only admins of this house"),
    );
    return [...extra, "refused:", ...refused].join(" ");
  };
  expect(pages("providers")).toBe("Models refused: web channels audit system");
  expect(pages("secrets")).toBe("Web &amp; secrets refused: models channels audit system");
  expect(pages("audit", "approve")).toBe("Audit refused: models web channels system");
  const me = createFakeMe("w");
  const permissions = me.permissions.map((permission) => ({
    ...permission,
    rights: ["audit" as const, "approve" as const],
  }));
  expect(draw(<MembersPage house={fakeHouse} me={{ ...me, permissions }} />)).toContain(
    "You also manage: audit log, approvals.",
  );
});

test("a role can be granted to a member without one", () => {
  const markup = draw(<GiveLevel place={fakeHouse} agents={[fakeMain]} onGranted={() => {}} />);
  expect(markup).toMatch(/<option[^>]*>Main<\/option>/);
  expect(markup).toMatch(/<button[^>]*disabled=""[^>]*>Grant access/);
  expect(draw(<GiveLevel place={fakeHouse} agents={[]} onGranted={() => {}} />)).toBe("");
});

test("a room's page is a form for admins, and text for everyone else", () => {
  const room = createFakeRoom(2, "Kitchen", {
    description: "Where meals are planned.",
    members: [fakeOwner.id, fakeMain.id],
    admission: { block: [fakeMain.id] },
  });
  const show = (level: Level): string => draw(<RoomSettings room={room} me={createFakeMe(level)} />);
  const decides = show("x");
  for (const label of ["Save room", "Save members", "Change wake rules", "Remove Kitchen"])
    expect(buttons(decides)).toContain(label);
  expect(decides).toMatch(/checked=""[^>]*value="some"|value="some"[^>]*checked=""/);
  const speaks = show("w");
  expect(buttons(speaks)).toEqual([]);
  for (const words of [
    "Where meals are planned.",
    "Ada",
    "Blocked: Main.",
    "You are a member: you can read and write here.",
  ])
    expect(speaks).toContain(words);
  expect(speaks).toContain('href="/settings/rooms/kitchen/activity"');
  const direct = createFakeRoom(1, "Main", { kind: "direct", members: [fakeOwner.id, fakeMain.id] });
  expect(draw(<RoomSettings room={direct} me={createFakeMe("x")} />)).not.toContain("<legend>Visible to");
});

test("the number of participants is shown in words", () => {
  expect([
    describeMembers({ kind: "direct", members: ["a", "b"] }),
    describeMembers({ kind: "group" }),
    describeMembers({ kind: "group", members: ["a"] }),
    describeMembers({ kind: "group", members: ["a", "b"] }),
  ]).toEqual(["Direct room", "Open to the whole house", "1 participant", "2 participants"]);
});

const detail = (more: object = {}) =>
  ActivationDetail.parse({
    id: `act_${"1".repeat(26)}`,
    agent: fakeMain.id,
    room: fakeEntry.room.id,
    trigger: "ambient",
    cause: `evt_${"1".repeat(26)}`,
    state: "skipped",
    skip: "relevance",
    usage: noUsage,
    depth: 2,
    createdAt: 1,
    steps: [],
    parts: [],
    ...more,
  });

test("the activity list shows triggers, outcomes and reasons", () => {
  const list = (shouldShowAgent: boolean): string =>
    draw(<ActivityList activations={[detail()]} shouldShowAgent={shouldShowAgent} />);
  expect(list(false)).toMatch(/<button type="button" aria-expanded="false"/);
  expect(list(false)).toContain("No reply: not relevant");
  expect(list(false)).toContain("In Main · Group message");
  expect(list(true)).toContain("Main · Group message");
  expect(draw(<ActivityList activations={[]} shouldShowAgent />)).toContain("No runs match.");
});

test("an expanded run shows its message, the reason and every step", () => {
  const steps = [
    { activation: detail().id, step: -1, kind: "model", name: "small", effect: "pure", state: "done", glimpse: "NO" },
    { activation: detail().id, step: 0, kind: "tool", name: "write", effect: "plain", state: "unknown" },
  ].map((step) => ({ ...step, startedAt: 0, endedAt: 420 }));
  const message = { author: fakeOwner.id, at: 1, text: "What is for dinner?" };
  const markup = draw(<ActivityDetail detail={detail({ steps, message })} />);
  expect(markup).toContain("The message was not relevant to the agent.");
  expect(markup).toContain("Ada: What is for dinner?");
  expect(markup).toMatch(/href="\/rooms\/main">Open Main<\/a>/);
  expect(markup).toMatch(/Agent messages in a row<\/dt><dd>2/);
  expect(markup).toMatch(/Relevance check[^]*NO[^]*420 ms[^]*Tool call: write[^]*Unknown result/);
  const bare = draw(<ActivityDetail detail={detail()} />);
  expect(bare).toContain("Deleted");
  expect(bare).toContain("No model or tool calls");
});

test("the context page shows what the next run receives", () => {
  const inside: AgentIntrospection = {
    state: { agent: fakeMain.id, agentName: "Main", status: "queued" },
    config: {
      model: "den/large",
      fallback: ["den/small"],
      tools: ["read"],
      cell: "auto",
      queue: "steer",
      triggerMode: "ambient",
      timezone: "UTC",
      promptLength: 1200,
      ambient: { debounceMs: 1500, cooldown: true, relevance: "words" },
    },
    rooms: [
      {
        room: fakeEntry.room.id,
        queued: 1,
        running: 0,
        waiting: 0,
        read: 3,
        head: 5,
        ambient: { activation: detail().id as ActivationId, cause: detail().cause, readyAt: 1 },
      },
    ],
    last: [detail()],
  };
  const markup = draw(<ContextView introspection={inside} />);
  for (const words of [
    "Queued",
    "large by den",
    "den/small",
    "Responds after a pause of 1.5 s; cooldown after its own message",
    "Fastest with isolation",
    "Include now",
    "1,200",
  ])
    expect(markup).toContain(words);
  expect(markup).toContain("1 queued · waiting for a pause in the conversation · read 3 of 5 messages");
  expect(markup).toContain("No reply: not relevant");
});

test("a password change asks for the current one if the house requires it, and reports ended sessions", () => {
  const form = (isSet: boolean, needsCurrent: boolean): string =>
    draw(<PasswordForm person={fakeOwner} isOwn state={{ isSet, needsCurrent }} onSet={() => {}} />);
  expect(form(true, true)).toContain("Current password");
  expect(form(true, false)).not.toContain("Current password");
  expect(form(false, false)).toContain("Set password</button>");
  expect(form(true, false)).toContain("Change password</button>");
  expect([describeSet(0, true), describeSet(1, true), describeSet(2, false)]).toEqual([
    "Saved",
    "Saved. Logged out 1 other browser.",
    "Saved. Logged out 2 browsers.",
  ]);
});

test("a key shows its role limit and its expiry", () => {
  const key = { id: `key_${"1".repeat(26)}`, name: "lamp", agent: fakeMain.id, createdAt: 1 } as never as Parameters<
    typeof KeyList
  >[0]["keys"][number];
  const list = (more: object): string =>
    draw(<KeyList keys={[{ ...key, ...more }]} agents={[fakeMain]} hasOneOwner onRevoked={() => {}} />, { now: 1000 });
  expect(list({})).not.toContain("For Main");
  expect(list({})).toContain("Full access");
  expect(list({ scope: { level: "w" } })).toContain("At most member");
  const narrow = { level: "r", on: [fakeHouse.id, "room_gone"], rights: ["audit"], perMinute: 60 };
  expect(list({ scope: narrow })).toContain(
    `At most viewer · Only in ${fakeHouse.content.name} and 1 other place · Audit log · 60 requests per minute`,
  );
  expect(list({ scope: { level: "r", only: "metrics" } })).toContain("Measurements only");
  expect(list({ scope: { level: "x", perMinute: 1 } })).toContain("Full access · 1 request per minute");
  expect(list({})).toContain("Never used");
  expect(list({ usedAt: 900 })).toContain("Last used ");
  expect(list({ expiresAt: 900 })).toContain("expired");
  expect(list({ expiresAt: Date.UTC(2030, 5, 15) })).toMatch(/expires .*2030/);
});

test("admins of another house enter a model name, because they cannot list the models", () => {
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
  expect(made).toContain("Next, you enter the model");
  expect(made).not.toContain("Model source");
  expect(tabs(agent)).not.toContain("Models");
});

test("an agent that runs elsewhere has keys, but no settings for runs", () => {
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
  expect(show("/settings/agents")).toContain("Runs elsewhere");
  const markup = show("/settings/agents/main");
  expect([...markup.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
    ...["Main", "Profile", "Runtime", "API keys", "Remove"],
  ]);
  for (const gone of ["/activity", "/inside", "Instructions"]) expect(markup).not.toContain(gone);
  expect(show("/settings/new-agent")).toContain("Agent that runs elsewhere");
});
