/** Renders parts of a room to markup, with a fake UI and room. */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeUi, fakeEntry, type FakeUi, fakeOwner } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { type RoomView, RoomViewProvider } from "./room-view.tsx";

export const createFakeView = (ui: FakeUi, overrides: Partial<RoomView> = {}): RoomView => ({
  reader: ui.openRoom(fakeEntry.room.id),
  room: fakeEntry.room,
  me: fakeOwner.id,
  level: "x",
  agents: ui.house.snapshot().agents,
  compose: () => {},
  focusComposer: () => {},
  openDialog: () => {},
  replyingTo: undefined,
  reply: () => {},
  editedMessage: undefined,
  edit: () => {},
  openedKeys: new Set(),
  toggle: () => {},
  spokenReply: undefined,
  onSpeaking: () => {},
  receivedParts: new Map(),
  ...overrides,
});

/** Returns the markup of a component that needs no room view. */
export const renderUi = (node: ReactNode, ui: FakeUi = createFakeUi()): string =>
  renderToStaticMarkup(
    <Router base="/ui" ssrPath="/ui/rooms/main">
      <UiProvider value={ui}>{node}</UiProvider>
    </Router>,
  );

/** Returns the visible text of a page at a path below the UI's base path. */
export const textAt = (path: string, page: ReactNode, ui: FakeUi = createFakeUi()): string =>
  textOf(
    renderToStaticMarkup(
      <Router ssrPath={path}>
        <UiProvider value={ui}>{page}</UiProvider>
      </Router>,
    ),
  );

/** Returns the markup of a part of a room. */
export const renderPart = (node: ReactNode, overrides: Partial<RoomView> = {}, ui: FakeUi = createFakeUi()): string =>
  renderUi(<RoomViewProvider value={createFakeView(ui, overrides)}>{node}</RoomViewProvider>, ui);

/** Returns the visible text of markup. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();
