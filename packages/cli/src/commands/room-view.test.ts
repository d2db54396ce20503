/** Several chats with one agent, and how the caller arranges them, against a fake house. */
import { expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;

const addDen = () => own.house.addRoom({ name: "Den", kind: "group", members: [own.house.main.id] });
const listed = async (...flags: string[]): Promise<readonly string[]> =>
  ((await json("room", "list", ...flags)) as readonly { handle: string }[]).map(({ handle }) => handle);

test("a pinned room is listed first, until it is unpinned", async () => {
  own.house.addRoom({ name: "Attic", kind: "group", members: [] });
  addDen();
  expect((await hearth("room", "pin", "den")).out).toBe("pinned Den\n");
  expect((await listed())[0]).toBe("den");
  expect(await json("room", "unpin", "den")).not.toHaveProperty("pinnedAt");
  expect((await listed())[0]).not.toBe("den");
});

test("an archived room is only in the list of archived rooms, until it is returned", async () => {
  addDen();
  expect(await json("room", "archive", "den")).toMatchObject({ archivedHead: 0 });
  expect(await listed()).not.toContain("den");
  expect(await listed("--archived")).toEqual(["den"]);
  expect((await hearth("room", "unarchive", "den")).out).toBe("returned Den\n");
  expect(await listed()).toContain("den");
  expect(await listed("--archived")).toEqual([]);
});

test("a chat gets and loses a title", async () => {
  own.house.addRoom({ name: "Main 2", kind: "direct", members: [own.house.main.id] });
  expect((await hearth("room", "rename", "main-2", "Trip to Rome")).out).toBe("main-2 is now called Trip to Rome\n");
  expect((await hearth("room", "list")).out).toContain("Trip to Rome");
  expect((await hearth("room", "show", "main-2")).out).toContain("Trip to Rome");
  expect(await json("room", "rename", "main-2", "--clear")).toMatchObject({
    handle: "main-2",
    content: { name: "Main 2" },
  });
  expect((await hearth("room", "list")).out).not.toContain("Trip to Rome");
});

test("a title and its removal exclude each other, as do a new chat and a room", async () => {
  expect((await hearth("room", "rename", "den")).err).toContain("Give either a TITLE or --clear");
  expect((await hearth("room", "rename", "den", "x", "--clear")).err).toContain("Give either a TITLE or --clear");
  expect((await hearth("chat", "--new", "--room", "den", "-m", "hello")).err).toContain("exclude each other");
});
