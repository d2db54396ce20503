import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";

const own = commandsForEach();
const { hearth, json } = own;

describe("rooms", () => {
  test("are created with members by handle", async () => {
    expect((await hearth("room", "add", "Den", "--members", "owner,@main", "--description", "For us")).out).toContain(
      "members      Owner, Main\n",
    );
    expect(own.house.requests.find((request) => request.startsWith("POST"))).toBe(
      `POST /api/rooms {"content":{"name":"Den","members":["${own.house.owner.id}","${own.house.main.id}"],"description":"For us"}}`,
    );
    expect((await hearth("room", "add", "Den", "--members", "+main")).code).toBe(2);
  });

  test("have members that are set, changed, and cleared to admit everyone", async () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    const members = async (list: string): Promise<unknown> => {
      expect((await hearth("room", "edit", "den", "--members", list)).code).toBe(0);
      const sent = own.house.requests.findLast((request) => request.startsWith(`PATCH /api/rooms/${den.id}`)) ?? "";
      return JSON.parse(sent.slice(sent.indexOf("{"))).content.members;
    };
    // Everyone but main.
    expect(await members("-main")).toEqual([own.house.owner.id]);
    expect(await members("+main,-owner")).toEqual([own.house.main.id]);
    expect(await members("owner")).toEqual([own.house.owner.id]);
    expect(await members("all")).toBeNull();
  });

  test("print the latest messages, or those from an offset, with terminal control characters made visible", async () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    for (let count = 1; count <= 20; count += 1)
      own.house.postMessage(den, own.house.main, `message ${count} \u001b]0;x\u0007`);
    const { out } = await hearth("room", "events", "den", "--limit", "2");
    expect(out).toMatch(/^\d{4}-.* Main\nmessage 19 \\e\]0;x\\u0007\n\d{4}-.* Main\nmessage 20 /);
    const page = (await json("room", "events", "den", "--after", "4", "--limit", "3")) as {
      events: { offset: number }[];
      next: number;
    };
    expect([page.events.map(({ offset }) => offset), page.next]).toEqual([[5, 6, 7], 7]);
    expect(await json("room", "events", own.house.addRoom({ name: "Empty", kind: "group" }).handle)).toEqual({
      events: [],
      next: 0,
      head: 0,
    });
  });

  test("show current messages: the new text of an edited one, and a note for a deleted one", async () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    const [old, kept, gone] = ["from before", "teh", "a secret"].map((text) =>
      own.house.postMessage(den, own.house.main, text),
    );
    if (old === undefined || kept === undefined || gone === undefined) throw new Error("expected three messages");
    own.house.change(kept, "the \u001b]0;x\u0007");
    own.house.change(gone, "still a secret");
    own.house.change(gone);
    own.house.change(old, "from before, edited");
    const { out } = await hearth("room", "events", "den", "--limit", "6");
    expect(out.replaceAll(/\d{4}-\d\d-\d\d \S+ /g, "")).toBe(
      [
        "Main (edited)",
        "the \\e]0;x\\u0007",
        "Main deleted a message",
        "Main (edited)",
        "from before, edited",
        "",
      ].join("\n"),
    );
    expect(((await json("room", "events", "den")) as { events: unknown[] }).events).toHaveLength(7);
  });

  test("are followed from the beginning, with a note, when the house was restored from a backup", async () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    for (const text of ["first", "second"]) own.house.postMessage(den, own.house.main, text);
    const terminal = createFakeTerminal({ home: own.house.home });
    const following = run(["room", "events", "den", "--follow"], terminal);
    await terminal.whenWritten("second");
    await own.house.stopServer();
    own.house.streams.restoreTo(`room:${den.id}`, 1);
    await terminal.whenWritten("does not answer");
    await own.house.restartServer();
    await terminal.whenWritten("restored from a backup");
    own.house.postMessage(den, own.house.main, "third");
    await terminal.whenWritten("third");
    terminal.interrupt();
    expect(await following).toBe(0);
    expect(terminal.written.out.match(/first|second|third/g)).toEqual(["first", "second", "first", "third"]);
  });

  test("are followed until Ctrl-C, across a restart of the daemon", async () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    own.house.postMessage(den, own.house.main, "first");
    const terminal = createFakeTerminal({ home: own.house.home });
    const following = run(["room", "events", "den", "--follow", "--json"], terminal);
    await terminal.whenWritten("first");
    own.house.postMessage(den, own.house.main, "second");
    await terminal.whenWritten("second");
    await own.house.stopServer();
    await terminal.whenWritten("does not answer");
    await own.house.restartServer();
    own.house.postMessage(den, own.house.main, "third");
    await terminal.whenWritten("third");
    terminal.interrupt();
    expect(await following).toBe(0);
    expect(
      terminal.written.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).body.text),
    ).toEqual(["first", "second", "third"]);
  });
});
