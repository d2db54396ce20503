/** A UI for tests: fake house and rooms, storage in memory, and a fixed clock. */
import {
  createClient,
  createFileShelf,
  createMemoryFileStore,
  createMemoryStorage,
  type HouseReader,
  type HouseSnapshot,
  type Outbox,
  type RoomEntry,
  type RoomReader,
  type RoomSnapshot,
} from "@hearth/client";
import {
  AgentId,
  type AgentRecord,
  type Clock,
  errorStatus,
  HouseId,
  type HouseRecord,
  isHearthError,
  type Level,
  type Me,
  RoomId,
  type RoomRecord,
  toErrorBody,
} from "@hearth/protocol";
import { createLanguageSetting } from "./language-setting.ts";
import { createLoginConfirmation } from "./login-confirmation.ts";
import { createTheme } from "./theme-setting.ts";
import type { Ui } from "./ui.tsx";

export interface FakeUiOptions extends Partial<Ui> {
  /** Overrides the snapshot of a house with its owner, the agent Main and their direct room. */
  readonly houseSnapshot?: Partial<HouseSnapshot>;
  /** Overrides the empty snapshot of every opened room. */
  readonly roomSnapshot?: Partial<RoomSnapshot>;
  /** JSON responses or errors by request, such as `"GET /api/providers"`. Other requests get "not found". */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly now?: number;
}

export interface FakeUi extends Ui {
  /** Changes the house snapshot and notifies listeners. */
  readonly setHouse: (change: Partial<HouseSnapshot>) => void;
  /** Changes the snapshot of every opened room and notifies listeners. */
  readonly setRoom: (change: Partial<RoomSnapshot>) => void;
  /** Calls in order: reader methods by name, requests as `"METHOD /path"` with their body. */
  readonly calls: readonly (readonly unknown[])[];
}

const NOW = Date.UTC(2026, 2, 4, 12);
const id = (prefix: string, count: number): string => `${prefix}_${count.toString().padStart(26, "0")}`;
const base = { house: HouseId.parse(id("house", 1)), version: 1, createdAt: NOW, updatedAt: NOW };

export const fakeHouse: HouseRecord = {
  ...base,
  type: "house",
  id: base.house,
  handle: "home",
  content: { name: "Home", timezone: "UTC", welcomedAt: NOW },
};

export const createFakeAgent = (
  count: number,
  name: string,
  content: Partial<AgentRecord["content"]> = {},
): AgentRecord => ({
  ...base,
  type: "agent",
  id: AgentId.parse(id("agent", count)),
  handle: name.toLowerCase(),
  content: { name, kind: "bot", ...content },
});

export const createFakeRoom = (
  count: number,
  name: string,
  content: Partial<RoomRecord["content"]> = {},
): RoomRecord => ({
  ...base,
  type: "room",
  id: RoomId.parse(id("room", count)),
  handle: name.toLowerCase(),
  content: { name, kind: "group", ...content },
});

export const fakeOwner: AgentRecord = createFakeAgent(1, "Ada", { kind: "human" });
export const fakeMain: AgentRecord = createFakeAgent(2, "Main", { model: "offline/basic" });
export const fakeEntry: RoomEntry = {
  room: createFakeRoom(1, "Main", { kind: "direct", members: [fakeOwner.id, fakeMain.id] }),
  head: 0,
  lastEventAt: undefined,
  isUnread: false,
  isPinned: false,
  isArchived: false,
};

/** The owner of the house, or the same person with another role. */
export const createFakeMe = (level: Level | undefined): Me => ({
  agent: fakeOwner,
  house: fakeHouse,
  version: "0.1.0",
  permissions: level === undefined ? [] : [{ on: fakeHouse.id, level }],
  ...(level === undefined ? {} : { home: fakeHouse.id }),
});

export const createFakeUi = (options: FakeUiOptions = {}): FakeUi => {
  const { houseSnapshot, roomSnapshot, answers = {}, now = NOW, ...parts } = options;
  const calls: unknown[][] = [];
  const storage = parts.storage ?? createMemoryStorage();
  const clock: Clock = parts.clock ?? {
    now: () => now,
    monotonic: () => 0,
    // Resolves only on abort, because the clock is fixed.
    sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve())),
    turn: () => Promise.resolve(),
  };
  const house = createChanging<HouseSnapshot>({
    state: { kind: "ready" },
    me: createFakeMe("x"),
    house: fakeHouse,
    houses: [fakeHouse],
    agents: new Map([fakeOwner, fakeMain].map((agent) => [agent.id, agent])),
    rooms: [fakeEntry],
    holds: [],
    connection: { kind: "open" },
    ...houseSnapshot,
  });
  const room = createChanging<RoomSnapshot>({
    state: { kind: "ready" },
    messages: [],
    hasOlder: false,
    isLoadingOlder: false,
    live: [],
    ended: [],
    pending: [],
    isCurrent: true,
    ...roomSnapshot,
  });

  /** Returns a function that records its call and does nothing else. */
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void => {
      calls.push([name, ...args]);
    };
  const noteLater =
    (name: string) =>
    (...args: readonly unknown[]): Promise<void> =>
      Promise.resolve(note(name)(...args));

  const houseReader: HouseReader = {
    snapshot: house.get,
    onChange: house.onChange,
    onLevels: () => () => {},
    markRead: note("house.markRead"),
    refresh: note("house.refresh"),
    choose: note("house.choose"),
    [Symbol.dispose]: note("house.dispose"),
  };
  let files = 0;
  const outbox: Outbox = {
    pending: () => room.get().pending,
    onChange: room.onChange,
    add(...files) {
      note("outbox.add")(...files);
      return "key";
    },
    retry: note("outbox.retry"),
    discard: note("outbox.discard"),
    retryNow: note("outbox.nudge"),
    onSent: () => () => {},
    [Symbol.dispose]: note("outbox.dispose"),
  };
  const openRoom = (_room: RoomId): RoomReader => ({
    snapshot: room.get,
    onChange: room.onChange,
    loadOlder: noteLater("room.loadOlder"),
    loadThrough: noteLater("room.loadThrough"),
    send: note("room.send"),
    retry: note("room.retry"),
    discard: note("room.discard"),
    edit: noteLater("room.edit"),
    remove: noteLater("room.remove"),
    react: noteLater("room.react"),
    stop: noteLater("room.stop"),
    retryActivation: noteLater("room.retryActivation"),
    async partsOf(activation) {
      note("room.partsOf")(activation);
      return [];
    },
    [Symbol.dispose]: note("room.dispose"),
  });
  const confirmation = createLoginConfirmation();
  const client = createClient({
    baseUrl: "http://house.test",
    confirmLogin: confirmation.ask,
    sleep: clock.sleep,
    async fetch(input, init) {
      const request = new Request(input, init);
      const name = `${request.method} ${new URL(request.url).pathname}`;
      const body = await request.text();
      calls.push(body === "" ? [name] : [name, JSON.parse(body)]);
      const answer = answers[name];
      if (isHearthError(answer))
        return Response.json({ error: toErrorBody(answer) }, { status: errorStatus[answer.code] });
      return answer === undefined
        ? Response.json(
            { error: { code: "request.not-found", message: `${name} is not in this test.` } },
            { status: 404 },
          )
        : Response.json(answer);
    },
  });

  return {
    client,
    house: houseReader,
    outbox,
    files: createFileShelf({
      files: createMemoryFileStore(),
      storage,
      uploads: async () => ({ send: () => new Promise(() => {}), cancel: async () => {} }),
      newKey: () => `file-${(files += 1)}`,
    }),
    openRoom,
    clock,
    theme: createTheme(storage, () => {}),
    language: createLanguageSetting({ storage, send: note("language.send"), reload: note("page.reload") }),
    page: {
      isOnline: () => true,
      onNetwork: () => () => {},
      onAttention: () => () => {},
      isOutdated: async () => false,
      fragment: () => "",
      setTitle: note("page.setTitle"),
      hasCommandKey: () => false,
      setBadge: note("page.setBadge"),
      onFailure: () => () => {},
      reload: note("page.reload"),
      loadStyles: async () => {},
      currentPath: () => "/ui/",
      open: note("page.open"),
      passkeys: {
        problem: () => undefined,
        create: async () => Promise.reject(new TypeError("the fake page has no authenticator")),
        get: async () => Promise.reject(new TypeError("the fake page has no authenticator")),
      },
      push: async () => ({
        problem: () => "unsupported",
        isSubscribed: async () => false,
        subscribe: async () => Promise.reject(new TypeError("the fake page has no push service")),
        unsubscribe: async () => {},
        pageProblem: () => "unsupported",
        requestPermission: async () => {},
        isPermitted: () => false,
        isInFront: () => true,
        notify: async () => {},
      }),
    },
    recordings: undefined,
    confirmation,
    copyText: noteLater("copyText"),
    reconnect: note("reconnect"),
    ...parts,
    storage,
    setHouse: house.change,
    setRoom: room.change,
    calls,
  };
};

const createChanging = <Value,>(first: Value) => {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    change(change: Partial<Value>) {
      value = { ...value, ...change };
      for (const listener of listeners) listener();
    },
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
