import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { addAnnouncement, Announcer, dropFirst, hideAll } from "./announcer.tsx";
import { Avatar, createInitials } from "./avatar.tsx";
import { Button, IconButton } from "./button.tsx";
import { ChoiceGroup } from "./choice.tsx";
import { classes } from "./classes.ts";
import { ConfirmDialog, Dialog } from "./dialog.tsx";
import { Checkbox, Field, Select, TextArea, TextInput } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { ErrorNotice, Notice } from "./notice.tsx";

const html = (node: ReactNode): string => renderToStaticMarkup(node);

test("class names are joined without empty ones", () => {
  expect(classes("a", false, undefined, "b")).toBe("a b");
  expect(classes(undefined, false)).toBeUndefined();
});

test("a button submits no form by default", () => {
  expect(html(<Button>Save</Button>)).toContain('type="button"');
  expect(html(<Button type="submit">Save</Button>)).toContain('type="submit"');
  expect(html(<IconButton icon="close" label="Close" />)).toContain('type="button"');
});

test("a busy button keeps its name and the focus, and is not disabled", () => {
  const markup = html(<Button isBusy>Save</Button>);
  expect(markup).toContain('aria-disabled="true"');
  expect(markup).toContain('aria-label="Loading"');
  expect(markup).toContain("Save");
  expect(markup).not.toContain('disabled=""');
});

test("an icon button has a name, and its icon has none", () => {
  const markup = html(<IconButton icon="copy" label="Copy" />);
  expect(markup).toContain('aria-label="Copy"');
  expect(markup).toContain('title="Copy"');
  expect(html(<Icon name="copy" />)).toContain('aria-hidden="true"');
});

test("a field connects its label, hint and error with its control", () => {
  const markup = html(
    <Field label="Name" hint="As others see it" error="It is taken">
      {(ids) => <TextInput {...ids} defaultValue="Ada" />}
    </Field>,
  );
  const id = / for="([^"]+)"/.exec(markup)?.[1];
  expect(markup).toContain(`<input type="text" aria-describedby="${id}hint ${id}error" aria-invalid="true" id="${id}"`);
  expect(markup).toContain(`<div id="${id}hint"`);
  expect(markup).toContain(`<p id="${id}error" role="alert"`);
});

test("a field without hint and error has no description", () => {
  const markup = html(<Field label="Name">{(ids) => <TextArea {...ids} />}</Field>);
  expect(markup).not.toContain("aria-describedby");
  expect(markup).not.toContain("aria-invalid");
});

test("select and text area accept the attributes of a field", () => {
  for (const Control of [Select, TextArea]) {
    expect(html(<Control id="a" describedBy="b" isInvalid />)).toContain('aria-describedby="b" aria-invalid="true"');
  }
});

test("a checkbox is inside its label, with its details", () => {
  expect(html(<Checkbox label="Main" detail="@main" />)).toMatch(/<label[^>]*><input type="checkbox"\/>.*Main.*@main/);
});

test("choices are radio buttons with one name and a legend", () => {
  const markup = html(
    <ChoiceGroup
      label="Model"
      value="b"
      onChange={() => {}}
      choices={[
        { value: "a", title: "First" },
        { value: "b", title: "Second", detail: "The better one", badge: "Found" },
      ]}
    />,
  );
  expect(markup).toContain("<legend>Model</legend>");
  const radios = markup.match(/<input[^>]*>/g) ?? [];
  expect(new Set(radios.map((radio) => / name="([^"]+)"/.exec(radio)?.[1])).size).toBe(1);
  expect(radios.map((radio) => radio.includes("checked"))).toEqual([false, true]);
  expect(markup).toContain("The better one");
  expect(markup).toContain("Found");
});

test("a closed dialog renders no content", () => {
  const dialog = (isOpen: boolean): string =>
    html(
      <Dialog title="New room" isOpen={isOpen} onClose={() => {}} buttons={<button type="button">Create</button>}>
        Text
      </Dialog>,
    );
  expect(dialog(false)).not.toContain("Text");
  expect(dialog(true)).toContain("Text");
  expect(dialog(true)).toContain("Create");
  const [, id] = /aria-labelledby="([^"]+)"/.exec(dialog(true)) ?? [];
  expect(dialog(true)).toContain(`<h2 id="${id}">New room</h2>`);
});

test("a confirmation names the action and has a cancel button", () => {
  const markup = html(
    <ConfirmDialog
      title="Delete the message?"
      text="Agents may have read it."
      confirm="Delete"
      isDanger
      isOpen
      onConfirm={() => {}}
      onClose={() => {}}
    />,
  );
  expect(markup.indexOf("Cancel")).toBeLessThan(markup.indexOf(">Delete<"));
  expect(markup).toContain("Agents may have read it.");
});

test("an error of the house shows its message and hint", () => {
  const markup = html(
    <ErrorNotice error={new HearthError("tool.failed", "The key is wrong.", { hint: "Set a new one" })} />,
  );
  expect(markup).toContain('role="alert"');
  expect(markup).toContain("The key is wrong.");
  expect(markup).toContain("Set a new one");
});

test("an error on one line has its details behind a disclosure", () => {
  const error = new HearthError("tool.failed", "The key is wrong.", { hint: "Set a new one" });
  expect(html(<ErrorNotice error={error} shape="line" />)).toMatch(
    /The key is wrong\.<\/p><details[^>]*><summary>Details<\/summary>Set a new one/,
  );
  expect(html(<ErrorNotice error={error} />)).not.toContain("<details");
  expect(html(<ErrorNotice error={new HearthError("tool.failed", "No.")} shape="line" />)).not.toContain("<details");
});

test("an unexpected error shows a generic message", () => {
  const markup = html(<ErrorNotice error={new TypeError("x is undefined")} />);
  expect(markup).not.toContain("undefined");
  expect(markup).toContain("Something went wrong");
});

test("a success is a status, and plain notices are not announced", () => {
  expect(html(<Notice kind="success" title="Saved" />)).toContain('role="status"');
  expect(html(<Notice kind="info" title="By the way" />)).not.toContain("role=");
});

test("initials come from the first and last word, in any script", () => {
  expect(createInitials("Ada Byron Lovelace")).toBe("AL");
  expect(createInitials("main")).toBe("M");
  expect(createInitials("(the) élan")).toBe("TÉ");
  expect(createInitials("𝒜da 李")).toBe("𝒜李");
  expect(createInitials("***")).toBe("?");
  expect(html(<Avatar name="Ada" kind="human" />)).toContain('aria-hidden="true"');
});

test("announcements are kept in order, and removed in order", () => {
  const said = announceAll(["a", "a", "b"]);
  expect(said.texts.map(({ text }) => text)).toEqual(["a", "a", "b"]);
  expect(new Set(addAnnouncement(dropFirst(said), "c", true).texts.map(({ id }) => id))).toEqual(new Set([1, 2, 3]));
});

test("the last three announcements are visible until they are hidden, and unseen ones never are", () => {
  const said = announceAll(["a", "b", "c", "d"]);
  expect(visibleOf(said)).toEqual(["b", "c", "d"]);
  expect(visibleOf(addAnnouncement(said, "e", false))).toEqual(["b", "c", "d"]);
  expect(hideAll(said).texts.map(({ text, isVisible }) => [text, isVisible])).toEqual([
    ["a", false],
    ["b", false],
    ["c", false],
    ["d", false],
  ]);
});

const announceAll = (texts: readonly string[]) =>
  texts.reduce((before, text) => addAnnouncement(before, text, true), { count: 0, texts: [] } as ReturnType<
    typeof hideAll
  >);
const visibleOf = ({ texts }: ReturnType<typeof hideAll>): readonly string[] =>
  texts.filter(({ isVisible }) => isVisible).map(({ text }) => text);

test("the live region is polite and always rendered", () => {
  expect(html(<Announcer sleep={() => Promise.resolve()}>page</Announcer>)).toContain(
    'role="status" aria-live="polite" aria-atomic="false"',
  );
});
