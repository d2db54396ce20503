import { expect, test } from "bun:test";
import { type Label, OWNER_LABEL } from "@hearth/protocol";
import { createFakeMessage, createFakeReply, NOON } from "./fake-room.ts";
import { renderPart, textOf } from "./fake-view.tsx";
import { RowView } from "./timeline/row-view.tsx";
import { beginsSession, startOfDay } from "./timeline/rows.ts";

const draw = (message: ReturnType<typeof createFakeMessage>, opened: readonly string[] = []): string =>
  renderPart(
    <RowView
      row={{ kind: "message", key: "row", day: undefined, isGroupStart: true, message }}
      today={startOfDay(NOON)}
    />,
    { openedKeys: new Set(opened) },
  );
const untrusted: Label = { integrity: "untrusted", readers: "anyone", sources: ["https://e.org/<b>", "@bea\u202e"] };
const BADGE = "Built from untrusted content";

test("a reply built from untrusted content has a collapsed list of its sources, as text", () => {
  const reply = createFakeReply(1, { label: untrusted });
  expect(draw(reply)).toMatch(new RegExp(`<button[^>]*aria-expanded="false"[^>]*>.*${BADGE}</button>`));
  expect(textOf(draw(reply))).not.toContain("e.org");
  const open = draw(reply, [`sources ${reply.id}`]);
  expect(open).toContain("https://e.org/&lt;b&gt;");
  expect(open).toContain("@bea‹U+202E›");
  expect(open).toMatch(/<ol aria-label="Sources".*<li.*https:\/\/e\.org.*<li/s);
  // The page of the run shows what it read. The address itself is not a link.
  expect(open).toContain(
    `aria-label="View in run: https://e.org/&lt;b&gt;" href="/ui/runs/${reply.activation}#source-https%3A%2F%2Fe.org%2F%3Cb%3E"`,
  );
  expect(open.match(/<a /g)).toHaveLength(untrusted.sources.length + (draw(reply).match(/<a /g)?.length ?? 0));
  const nameless = createFakeReply(1, { label: { ...untrusted, sources: [] } });
  expect(draw(nameless, [`sources ${nameless.id}`])).toContain("Source unknown");
});

test("trusted and deleted replies show no such line", () => {
  for (const label of [undefined, OWNER_LABEL, { ...untrusted, integrity: "trusted" as const }])
    expect(draw(createFakeReply(1, { label }))).not.toContain(BADGE);
  expect(draw(createFakeReply(1, { label: untrusted, isDeleted: true }))).not.toContain(BADGE);
});

test("a command that starts a session shows as a line", () => {
  const own = draw(createFakeMessage(1, { text: "/new" }));
  expect(textOf(own)).toMatch(/^New session · you , /);
  expect(own).not.toContain("<article");
  expect(beginsSession(createFakeMessage(1, { text: " /NEW. " }))).toBe(true);
  expect(beginsSession(createFakeMessage(1, { text: "/new idea" }))).toBe(false);
  expect(beginsSession(createFakeMessage(1, { text: "/new", isDeleted: true }))).toBe(false);
  expect(beginsSession(createFakeReply(1, { text: "/new" }))).toBe(false);
});

test("a link to a page that the run read is followed by the number of the source, which leads to the run", () => {
  const sources = ["https://a.example/1", "https://e.org/page"];
  const text = "See [the page](https://e.org/page) and [another](https://e.org/other).";
  const reply = createFakeReply(1, { text, label: { ...untrusted, sources } });
  const markup = draw(reply);
  expect(markup).toContain(
    `aria-label="Source 2 in the run" title="Source 2 in the run" href="/ui/runs/${reply.activation}#source-https%3A%2F%2Fe.org%2Fpage"`,
  );
  expect(markup.match(/in the run"/g)).toHaveLength(2);
  expect(draw(createFakeReply(1, { text }))).not.toContain("in the run");
});
