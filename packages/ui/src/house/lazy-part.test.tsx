import { expect, test } from "bun:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeUi } from "./fake-ui.tsx";
import { createLazyPart, Outdated, Unreachable } from "./lazy-part.tsx";
import { UiProvider } from "./ui.tsx";

const show = (element: ReactElement): string =>
  renderToStaticMarkup(<UiProvider value={createFakeUi()}>{element}</UiProvider>);

const Page = ({ name }: { readonly name: string }) => <p>page {name}</p>;

test("a placeholder with the same props is shown until a part has loaded", () => {
  const Late = createLazyPart({ load: async () => Page, Fallback: ({ name }) => <i>waits for {name}</i> });
  const Quiet = createLazyPart({ load: async () => Page });
  expect(show(<Late name="one" />)).toBe("<i>waits for one</i>");
  expect(show(<Quiet name="one" />)).toBe("");
});

test("a part is not loaded before it is shown", () => {
  let loads = 0;
  const load = async () => {
    loads += 1;
    return Page;
  };
  createLazyPart({ load });
  expect(loads).toBe(0);
});

test("an updated UI offers a reload; an unreachable house is tried again", () => {
  expect(show(<Outdated />)).toMatch(
    /older version of Hearth\..*Your drafts are kept in this browser\..*Reload<\/button>/,
  );
  const away = show(<Unreachable isTrying={false} onTry={() => {}} />);
  expect(away).toMatch(/role="alert".*This page could not be loaded\..*Try again<\/button>/);
});
