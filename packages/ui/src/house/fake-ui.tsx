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
const baseFields = { house: HouseId.parse(id("house", 1)), version: 1, createdAt: NOW, updatedAt: NOW };

export const fakeHouse: HouseRecord = {
  ...baseFields,
  type: "house",
  id: baseFields.house,
  handle: "home",
  content: { name: "Home", timezone: "UTC", welcomedAt: NOW },
};

export const createFakeAgent = (
  count: number,
  name: string,
  content: Partial<AgentRecord["content"]> = {},
): AgentRecord => ({
  ...baseFields,
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
  ...baseFields,
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

/** Creates the owner of the house, or the same person with another role. */
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
  const recordCall =
    (name: string) =>
    (...args: readonly unknown[]): void => {
      calls.push([name, ...args]);
    };
  const recordAsyncCall =
    (name: string) =>
    (...args: readonly unknown[]): Promise<void> =>
      Promise.resolve(recordCall(name)(...args));

  const houseReader: HouseReader = {
    snapshot: house.get,
    onChange: house.onChange,
    onLevels: () => () => {},
    markRead: recordCall("house.markRead"),
    refresh: recordCall("house.refresh"),
    choose: recordCall("house.choose"),
    [Symbol.dispose]: recordCall("house.dispose"),
  };
  let files = 0;
  const outbox: Outbox = {
    pending: () => room.get().pending,
    onChange: room.onChange,
    add(...files) {
      recordCall("outbox.add")(...files);
      return "key";
    },
    retry: recordCall("outbox.retry"),
    discard: recordCall("outbox.discard"),
    retryNow: recordCall("outbox.retryNow"),
    onSent: () => () => {},
    [Symbol.dispose]: recordCall("outbox.dispose"),
  };
  const openRoom = (_room: RoomId): RoomReader => ({
    snapshot: room.get,
    onChange: room.onChange,
    loadOlder: recordAsyncCall("room.loadOlder"),
    loadThrough: recordAsyncCall("room.loadThrough"),
    send: recordCall("room.send"),
    retry: recordCall("room.retry"),
    discard: recordCall("room.discard"),
    edit: recordAsyncCall("room.edit"),
    remove: recordAsyncCall("room.remove"),
    react: recordAsyncCall("room.react"),
    stop: recordAsyncCall("room.stop"),
    retryActivation: recordAsyncCall("room.retryActivation"),
    async partsOf(activation) {
      recordCall("room.partsOf")(activation);
      return [];
    },
    [Symbol.dispose]: recordCall("room.dispose"),
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
    language: createLanguageSetting({ storage, send: recordCall("language.send"), reload: recordCall("page.reload") }),
    page: {
      isOnline: () => true,
      onNetwork: () => () => {},
      onAttention: () => () => {},
      isOutdated: async () => false,
      fragment: () => "",
      setTitle: recordCall("page.setTitle"),
      hasCommandKey: () => false,
      setBadge: recordCall("page.setBadge"),
      onFailure: () => () => {},
      reload: recordCall("page.reload"),
      loadStyles: async () => {},
      currentPath: () => "/ui/",
      open: recordCall("page.open"),
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
    copyText: recordAsyncCall("copyText"),
    reconnect: recordCall("reconnect"),
    ...parts,
    storage,
    setHouse: house.change,
    setRoom: room.change,
    calls,
  };
};

const createChanging = <Value,>(initialValue: Value) => {
  let value = initialValue;
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
