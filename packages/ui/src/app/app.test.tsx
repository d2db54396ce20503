import { expect, test } from "bun:test";
import { HearthError, type Hold, HouseId, type HouseRecord, type Level } from "@hearth/protocol";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import {
  createFakeMe,
  createFakeRoom,
  createFakeUi,
  type FakeUi,
  type FakeUiOptions,
  fakeEntry,
  fakeHouse,
  fakeMain,
  fakeOwner,
} from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { textOf } from "../rooms/fake-view.tsx";
import { App } from "./app.tsx";
import { Boundary, CrashedPage } from "./boundary.tsx";
import { NoAnswer } from "./connecting.tsx";
import { RoomGone } from "./room-route.tsx";
import { Shell, stepsOf } from "./shell.tsx";
import { chooseNextTheme, SideBar } from "./side-bar.tsx";

const NOW = Date.UTC(2026, 2, 4, 12);

/** Markup of the UI at a path, at first render. */
const showApp = (path: string, options: FakeUiOptions = {}): string =>
  renderToStaticMarkup(
    <Router ssrPath={`/ui${path}`}>
      <App ui={createFakeUi(options)} />
    </Router>,
  );

const show = (node: ReactNode, { ui = createFakeUi(), path = "/rooms/main" }: { ui?: FakeUi; path?: string } = {}) =>
  renderToStaticMarkup(
    <UiProvider value={ui}>
      <Router ssrPath={path}>{node}</Router>
    </UiProvider>,
  );

test("a house that fails to load shows the reason and a retry button", () => {
  const error = new HearthError("house.incompatible", "It speaks another version.", { hint: "hearth stop" });
  const markup = showApp("/", { houseSnapshot: { state: { kind: "failed", error } } });
  expect(markup).toContain("It speaks another version.");
  expect(markup).not.toContain("hearth stop");
  expect(markup).toContain("Try again");
});

test("without an answer the page is blank at first, and later shows what to do", () => {
  expect(showApp("/", { houseSnapshot: { state: { kind: "loading" } } })).not.toContain("<h1>");
  expect(show(<NoAnswer onTry={() => {}} />)).toContain("ask the person who runs the house to start Hearth");
});

test("a room is shown beside the side bar, and an unlisted room is fetched before it is reported as missing", () => {
  for (const path of ["/rooms/main", "/rooms/made-just-now"]) {
    const markup = showApp(path);
    expect(markup).toContain('<nav aria-label="Chats"');
    expect(markup).toContain('<main id="main" tabindex="-1"');
    expect(markup).not.toContain("Page not found");
  }
});

test("an unknown path links to the start page", () => {
  const markup = showApp("/nowhere");
  expect(markup).toContain("Page not found");
  expect(markup).toContain('<a href="/ui/">Go to start page</a>');
});

test("a house without agents shows a notice", () => {
  const agents = new Map([[fakeOwner.id, fakeOwner]]);
  expect(showApp("/", { houseSnapshot: { agents } })).toContain("No agents yet");
});

test("the side bar shows the house, its rooms, the open room and unread rooms", () => {
  const ui = createFakeUi({
    now: NOW,
    houseSnapshot: {
      rooms: [
        fakeEntry,
        {
          room: createFakeRoom(2, "Küche"),
          head: 3,
          lastEventAt: NOW - 120_000,
          isUnread: true,
          isPinned: false,
          isArchived: false,
        },
      ],
    },
  });
  const markup = show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />, { ui });
  expect(markup).toContain("<bdi>Home</bdi>");
  expect(markup).toContain('<nav aria-label="Chats"');
  const [main = "", kitchen = ""] = markup.match(/<a[^>]*href="\/rooms.*?<\/a>/g) ?? [];
  expect(main).toContain('aria-current="page"');
  expect(main).not.toContain("New messages");
  expect(kitchen).toContain(`href="/rooms/${encodeURIComponent("küche")}"`);
  expect(kitchen).not.toContain("aria-current");
  expect(kitchen).toContain("New messages");
  expect(kitchen).toMatch(/<time[^>]*>2\smin<\/time>/);
  expect(
    show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />, { ui, path: "/rooms/küche" }),
  ).toMatch(/aria-current="page"[^>]*href="[^"]*k%C3/);
});

test("the side bar ends with the user, settings, theme and logout", () => {
  const markup = show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />);
  expect(markup).toMatch(/<a href="\/settings".*Settings.*<a href="\/settings\/account".*Ada.*Account/);
  expect(markup).toContain('aria-label="Theme: system. Change to light"');
  expect(markup).toMatch(/<form action="\/logout" method="post"><button type="submit"[^>]*aria-label="Log out"/);
});

test("themes change in a cycle", () => {
  expect((["system", "light", "dark"] as const).map(chooseNextTheme)).toEqual(["light", "dark", "system"]);
});

test("the first link skips the side bar", () => {
  expect(show(<Shell>page</Shell>)).toMatch(/^<div[^>]*><a href="#main"[^>]*>Skip to content<\/a>/);
});

test("the menu button mentions unread messages", () => {
  expect(show(<Shell>page</Shell>)).toContain('aria-label="Chats and settings"');
  const ui = createFakeUi({ houseSnapshot: { rooms: [{ ...fakeEntry, isUnread: true }] } });
  expect(show(<Shell>page</Shell>, { ui })).toContain('aria-label="Chats and settings, new messages"');
});

test("an offline browser shows a banner", () => {
  const ui = createFakeUi();
  const page = { ...ui.page, isOnline: () => false };
  expect(show(<Shell>page</Shell>, { ui: { ...ui, page } })).toContain("You are offline.");
  expect(show(<Shell>page</Shell>, { ui })).not.toContain("You are offline.");
});

test("only Alt with an arrow key moves between rooms", () => {
  const held = { altKey: true, ctrlKey: false, metaKey: false, shiftKey: false };
  expect(stepsOf({ ...held, key: "ArrowDown" })).toBe(1);
  expect(stepsOf({ ...held, key: "ArrowUp" })).toBe(-1);
  expect(stepsOf({ ...held, key: "ArrowLeft" })).toBeUndefined();
  for (const other of ["ctrlKey", "metaKey", "shiftKey"])
    expect(stepsOf({ ...held, [other]: true, key: "ArrowUp" })).toBeUndefined();
  expect(stepsOf({ ...held, altKey: false, key: "ArrowUp" })).toBeUndefined();
});

test("a page that crashed shows a reload button", () => {
  expect(Boundary.getDerivedStateFromError()).toEqual({ isBroken: true });
  expect(show(<CrashedPage reload={() => {}} />)).toMatch(/This page crashed.*Reload/);
});

test("a stop of all agents shows a banner with a resume button", () => {
  const holds = [{ scope: "house" as const, by: fakeOwner.id, at: 1 }];
  for (const path of ["/rooms/main", "/settings", "/nowhere"]) {
    expect(showApp(path)).not.toContain("All agents are stopped");
    const markup = showApp(path, { houseSnapshot: { holds } });
    expect(markup).toMatch(
      /All agents are stopped\. New messages wait until you resume\..*<button[^>]*>Resume all<\/button>.*<main/s,
    );
  }
});

test("the side bar marks rooms of stopped agents", () => {
  const rooms = [{ ...fakeEntry, at: NOW }];
  const bar = (...scopes: readonly Hold["scope"][]): string =>
    show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />, {
      ui: createFakeUi({
        houseSnapshot: { rooms, holds: scopes.map((scope) => ({ scope, by: fakeOwner.id, at: 1 })) },
      }),
    });
  expect(bar()).not.toContain("Stopped");
  expect(bar(fakeOwner.id)).not.toContain("Stopped");
  for (const scope of ["house", fakeMain.id] as const) expect(bar(scope)).toContain(">Stopped</span>");
});

test("users of several houses can switch in the side bar; others see no switch", () => {
  const other = {
    ...fakeHouse,
    id: HouseId.parse(`house_${"9".repeat(26)}`),
    content: { ...fakeHouse.content, name: "Annex" },
  };
  const bar = (houses: readonly HouseRecord[]): string =>
    show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />, {
      ui: createFakeUi({ houseSnapshot: { houses } }),
    });
  expect(bar([fakeHouse])).not.toContain("<select");
  expect(bar([other, fakeHouse])).toMatch(/<select aria-label="House".*Annex.*selected="">Home/);
});

test("users see only buttons that they may use", () => {
  const bar = (level: Level): string =>
    show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />, {
      ui: createFakeUi({ houseSnapshot: { me: createFakeMe(level) } }),
    });
  expect(bar("w")).toContain("New room");
  expect(bar("r")).not.toContain("New room");
  const holds = [{ scope: "house" as const, by: fakeOwner.id, at: 1 }];
  const markup = showApp("/settings", { houseSnapshot: { holds, me: createFakeMe("w") } });
  expect(markup).toContain("All agents are stopped");
  expect(markup).not.toContain("Resume all");
});

test("a user without rooms sees that, and no button to create an agent", () => {
  const markup = showApp("/", { houseSnapshot: { me: createFakeMe(undefined), rooms: [] } });
  expect(markup).toContain("No rooms yet");
  expect(markup).not.toContain("No agents yet");
});

test("only admins see the welcome", () => {
  expect(showApp("/welcome", { houseSnapshot: { me: createFakeMe("w") } })).not.toContain("Welcome");
});

test("a room that became inaccessible shows a notice", () => {
  expect(show(<RoomGone />)).toContain("You no longer have access to this room");
});

test("the emergency stop is on every page for admins while agents can be stopped", () => {
  const stops = (houseSnapshot: FakeUiOptions["houseSnapshot"]): number =>
    showApp("/settings", houseSnapshot === undefined ? {} : { houseSnapshot }).match(
      /aria-label="Stop all agents"|aria-haspopup="dialog"[^>]*>(?:(?!<\/button>).)*Stop all agents<\/button>/g,
    )?.length ?? 0;
  // In the side bar, and beside its button on narrow screens.
  expect(stops(undefined)).toBe(2);
  expect(stops({ me: createFakeMe("w") })).toBe(0);
  expect(stops({ holds: [{ scope: "house", by: fakeOwner.id, at: 1 }] })).toBe(0);
  expect(stops({ holds: [{ scope: fakeMain.id, by: fakeOwner.id, at: 1 }] })).toBe(2);
});

test("only users who can approve see the link to the inbox", () => {
  const bar = (level: Level): string =>
    show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />, {
      ui: createFakeUi({ houseSnapshot: { me: createFakeMe(level) } }),
      path: "/inbox",
    });
  expect(bar("x")).toMatch(
    /<a[^>]*aria-current="page"[^>]*href="\/inbox"|<a[^>]*href="\/inbox"[^>]*aria-current="page"/,
  );
  expect(bar("w")).not.toContain("/inbox");
});

test("the search names its keys on this device, and the emergency stop shows its name", () => {
  const bar = (hasCommandKey: boolean): string => {
    const ui = createFakeUi();
    return textOf(
      show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />, {
        ui: { ...ui, page: { ...ui.page, hasCommandKey: () => hasCommandKey } },
      }),
    );
  };
  expect(bar(true)).toContain("Search house ⌘K New chat Stop all agents");
  expect(bar(false)).toContain("Search house Ctrl K New chat Stop all agents");
});

test("the side bar has Search, New chat, the chats, then the pages in order", () => {
  const text = textOf(show(<SideBar onNewRoom={() => {}} onSearch={() => {}} onLeave={() => {}} />));
  const parts = ["Search house Ctrl K", "New chat", "Recent", "Agents", "Automations", "Inbox", "Settings", "Account"];
  const places = parts.map((part) => text.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
});
