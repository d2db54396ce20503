/** Files of messages and of tool results, from the room to the model's request. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { ModelRequest, Part } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";
import { z } from "zod";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, call, readIn, resultsIn, sayTo, waitForEnd } from "../../src/fixtures/talk.ts";
import { uploadTo } from "../../src/fixtures/uploads-of-house.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";

/** A GIF of one pixel. */
const GIF = "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=";
const PDF = `%PDF-1.7\n${"x".repeat(100)}`;
const EYES = '[models."fake/"]\nsees = true\ndocuments = true\n';

const partsIn = (request: ModelRequest | undefined): readonly (Part & { readonly data?: string })[] =>
  (request?.messages ?? []).flatMap((message) => (message.role === "assistant" ? [] : (message.parts ?? [])));

const post = async (house: TestHouse, text: string, ...files: readonly (readonly [string, Uint8Array])[]) => {
  const attachments: string[] = [];
  for (const [name, bytes] of files) attachments.push((await uploadTo(house, name, bytes)).id);
  return (await house.ask("POST", "/api/rooms/main/messages", { text, attachments })).json;
};
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The beginning of the hash of bytes in base64, as paths have it. */
const hashOf = (data: string): string =>
  new Bun.CryptoHasher("sha256").update(Uint8Array.fromBase64(data)).digest("hex").slice(0, 16);
const gif = ["cat.gif", Uint8Array.fromBase64(GIF)] as const;

describe("a file of a message", () => {
  test("is in the model's request as bytes, and in no event and no row as bytes", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, sections: EYES, script: [{ text: "a cat" }, { text: "still" }] });
    await post(house, "what is this?", gif, ["plan.pdf", bytesOf(PDF)]);
    await house.until(2);
    await house.post("and now?");
    const said = await house.until(4);
    for (const request of house.model.requests)
      expect(partsIn(request)).toMatchObject([
        { kind: "image", type: "image/gif", name: "cat.gif", data: GIF },
        { kind: "document", type: "application/pdf", name: "plan.pdf", data: btoa(PDF) },
      ]);
    expect(readIn(house.model.requests[0] ?? ({ messages: [] } as never))[0]?.text).toBe(
      `what is this?\n[file "cat.gif": image/gif, 29 bytes, 1 × 1; inbox/${hashOf(GIF)}-cat.gif]\n[file "plan.pdf": application/pdf, 109 bytes; inbox/${hashOf(btoa(PDF))}-plan.pdf]`,
    );
    expect(said.map(({ body }) => body.text).at(-1)).toBe("still");
    const rows = await Promise.all(
      (["steps", "events", "activations"] as const).map((table) => disk.store.select({ table })),
    );
    expect(JSON.stringify(rows)).not.toContain(GIF.slice(0, 20));
  });

  test("is one line for a model that does not take it, and the reply says so in the room", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: [{ text: "I cannot tell." }, { text: "No." }] });
    await post(house, "what is this?", gif);
    const [, reply] = await house.until(2);
    expect(partsIn(house.model.requests[0])).toMatchObject([
      { kind: "image", name: "cat.gif", refusal: "the model takes no pictures" },
    ]);
    expect(reply?.body.text).toBe("I cannot tell.\n\n[Not shown to the model: cat.gif (the model takes no pictures).]");
    await house.post("and now?");
    expect((await house.until(4)).at(-1)?.body.text).toBe("No.");
  });

  test("that is text is read, cut at its limit, and marked with the beginning of its hash", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: [{ text: "fine" }] });
    await post(house, "read", ["a.txt", bytesOf("milk\n")], ["long.txt", bytesOf("m".repeat(30_000))]);
    await house.until(2);
    const [short, long] = partsIn(house.model.requests[0]).map((part) => (part.kind === "text" ? part.text : ""));
    const [mark = ""] = /[0-9a-f]{10}/.exec(short ?? "") ?? [];
    expect(short).toBe(`[file ${mark}: the text of "a.txt", until ${mark} ends]\nmilk\n\n[end ${mark}]`);
    expect(new Bun.CryptoHasher("sha256").update("milk\n").digest("hex")).toStartWith(mark);
    expect(long).toContain(`${"m".repeat(20_000)}\n[cut: the first 20000 of 30000 bytes]`);
  });

  test("that is a page, a mail or a long table goes to the converter, and is raw where that does not work", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: [{ text: "fine" }] });
    const mail = "From: a@b.example\nDate: Mon, 1 Jun 2026 10:00:00 +0000\n\nIt is paid.";
    await post(
      house,
      "read",
      ["a.txt", bytesOf("<!doctype html><p>Hello")],
      ["b.txt", bytesOf(mail)],
      ["c.csv", bytesOf("a,b\n1,2\n")],
      ["d.csv", bytesOf("a,b\n".repeat(6000))],
    );
    const [, reply] = await house.until(2);
    const seen = partsIn(house.model.requests[0]).map((part) => (part.kind === "text" ? part : undefined));
    expect(seen.map((part) => part?.file?.type)).toEqual(["text/html", "message/rfc822", "text/plain", "text/csv"]);
    expect(seen.slice(0, 3).map((part) => part?.text.split("\n").slice(1, -1).join("\n"))).toEqual([
      ...["<!doctype html><p>Hello", mail, "a,b\n1,2\n"],
    ]);
    expect(reply?.body.text).toBe(
      "fine\n\n[Not shown to the model: d.csv (all but the first 20,000 of more than 20,000 characters of its text).]",
    );
  });

  test("of a deleted message is in no later request", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, sections: EYES, script: [{ text: "a cat" }, { text: "gone" }] });
    const { id } = await post(house, "what is this?", gif);
    await house.until(2);
    await house.ask("DELETE", `/api/rooms/main/messages/${id}`);
    await house.post("and now?");
    await house.until(4);
    expect(partsIn(house.model.requests[1])).toEqual([]);
  });
});

describe("a picture that a tool returns", () => {
  const far: ToolDeclaration<z.ZodObject, "host"> = {
    ...{ name: "far", description: "Show.", input: z.strictObject({}), effect: "pure", sinks: [], runs: "host" },
    traits: { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false },
    ...{ workspace: "none", level: "r", needs: "nothing", timeoutMs: 1000 },
  };
  const further = {
    far: {
      declaration: far,
      run: async () => ({ text: "a map", failed: false, image: { type: "image/gif", data: GIF } as const }),
    },
  };
  const looks =
    (name: string, input: object) =>
    (request: ModelRequest): ScriptedReply =>
      resultsIn(request).length === 0 ? call(name, input) : { text: "nice" };

  const seenBy = async (disk: TestDisk, script: (request: ModelRequest) => ScriptedReply) => {
    await using house = await openTestHouse({ disk, sections: EYES, script, further });
    const scout = await addBot(house, "Scout", { tools: ["image", "far"] });
    await Bun.write(join(disk.workspace, "a.gif"), Uint8Array.fromBase64(GIF));
    await sayTo(house, scout, "go");
    await waitForEnd(house, "scout", 1);
    return house.model.requests.at(-1);
  };

  test.each([
    ["in a cell", "image", { path: "a.gif" }],
    ["on the host", "far", {}],
  ])("%s reaches the model, and the journal has only its hash", async (_place, name, input) => {
    using disk = createTestDisk();
    const request = await seenBy(disk, looks(name, input));
    expect(partsIn(request)).toMatchObject([{ kind: "image", type: "image/gif", width: 1, data: GIF }]);
    const steps = await disk.store.select({ table: "steps" });
    const [file] = await disk.store.select({ table: "step_files" });
    expect(JSON.stringify(steps)).not.toContain(GIF.slice(0, 20));
    expect(JSON.stringify(steps)).toContain(file?.blob ?? "none");
    expect((await disk.blobs.get(file?.blob ?? ""))?.toBase64()).toBe(GIF);
  });

  test("on the host is the same in a turn that another daemon resumes", async () => {
    using disk = createTestDisk();
    const asked = Promise.withResolvers<void>();
    let rounds = 0;
    const script = (request: ModelRequest): ScriptedReply => {
      if (resultsIn(request).length === 0) return call("far", {});
      rounds += 1;
      asked.resolve();
      return rounds === 1 ? { hang: true } : { text: "nice" };
    };
    const first = await openTestHouse({ disk, sections: EYES, script, further });
    const scout = await addBot(first, "Scout", { tools: ["far"] });
    await sayTo(first, scout, "go");
    await asked.promise;
    await first[Symbol.asyncDispose]();
    await using house = await openTestHouse({ disk, sections: EYES, script, further });
    await waitForEnd(house, "scout", 1);
    const [live, replayed] = [first.model.requests.at(-1), house.model.requests.at(-1)];
    expect(partsIn(live)).toMatchObject([{ kind: "image", data: GIF }]);
    expect(replayed?.messages).toEqual(live?.messages as never);
  });
});

describe("the files of messages in the workspace", () => {
  const long = `${"line\n".repeat(6000)}the last line\n`;
  const path = `inbox/${hashOf(btoa(long))}-notes.txt`;

  test("are there while a turn runs, with the label of its message, and gone after it", async () => {
    using disk = createTestDisk();
    const script = (request: ModelRequest): ScriptedReply => {
      const [result] = resultsIn(request);
      if (result === undefined) return call("read", { path, offset: 6001 });
      return { text: result.text };
    };
    await using house = await openTestHouse({ disk, script });
    await post(house, "read all", ["notes.txt", bytesOf(long)], gif);
    const [, reply] = await house.until(2);
    expect(reply?.body.text).toContain("the last line");
    const inbox = join(disk.workspace, "inbox");
    expect(await Array.fromAsync(new Bun.Glob("*").scan({ cwd: inbox, dot: true }))).toEqual([]);
    const labels = await disk.store.select({ table: "files" });
    expect(labels).toEqual([]);
  });
});
