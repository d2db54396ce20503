import { expect, test } from "bun:test";
import type { AttachedDescription } from "@hearth/protocol";
import { createFakeUi } from "../../../house/fake-ui.tsx";
import { renderPart, textOf } from "../../fake-view.tsx";
import { DescriptionText } from "./picture-description.tsx";

const show = (description: AttachedDescription | undefined, mayDescribe = true): string =>
  renderPart(
    <DescriptionText attachment="upl_1" description={description} mayDescribe={mayDescribe} onChange={() => {}} />,
    {},
    createFakeUi({}),
  );

test("a description names its model, and its text is never HTML", () => {
  const html = show({ text: "A <b>cat</b>\u202e.", source: "test/eye", at: 1 });
  expect(html).not.toContain("<b>");
  expect(html).not.toContain("\u202e");
  expect(textOf(html)).toStartWith("Described by test/eye for models that do not see");
});

test("a failure shows its reason, and a person who may write can try again", () => {
  const failed = { source: "test/eye", error: { code: "budget.spent", message: "It is spent." }, at: 1 } as const;
  expect(textOf(show(failed))).toBe("Not described. It is spent. Describe");
  expect(textOf(show(failed, false))).toBe("Not described. It is spent.");
  expect(show(undefined)).toBe("");
});
