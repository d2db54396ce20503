import { expect, test } from "bun:test";
import { createFakeUi } from "../house/fake-ui.tsx";
import { renderUi } from "../rooms/fake-view.tsx";
import { ListTable, type RowChoice } from "./list-table.tsx";
import { type ListFilter, findMatchingRows } from "./matching.ts";

interface Row {
  readonly name: string;
  readonly kind: string;
}
const rows: readonly Row[] = [
  { name: "Ada Vidal", kind: "human" },
  { name: "Main", kind: "bot" },
  { name: "Ada's helper", kind: "bot" },
];
const filters: readonly ListFilter<Row>[] = [
  { name: "kind", label: "Kind", all: "All", options: [], matches: (row, value) => row.kind === value },
];
const find = (search: string, kind = ""): readonly string[] =>
  findMatchingRows(rows, { filters, values: { kind }, search, searchText: ({ name }) => name }).map(({ name }) => name);

test("`matching` returns the rows with each word of the search, in any case", () => {
  expect(find("")).toEqual(["Ada Vidal", "Main", "Ada's helper"]);
  expect(find("ADA")).toEqual(["Ada Vidal", "Ada's helper"]);
  expect(find(" vidal ada ")).toEqual(["Ada Vidal"]);
});

test("`matching` applies the filters together with the search", () => {
  expect(find("", "bot")).toEqual(["Main", "Ada's helper"]);
  expect(find("ada", "bot")).toEqual(["Ada's helper"]);
});

const four: readonly Row[] = [...rows, { name: "Scout", kind: "bot" }];

const list = (shown: readonly Row[], hasChanges = true, choices: readonly RowChoice<Row>[] = []): string =>
  renderUi(
    <ListTable
      label="Members"
      rows={shown}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      columns={[{ title: "Name", cell: ({ name }) => name }]}
      filters={filters}
      searchText={({ name }) => name}
      choices={choices}
      changes={
        hasChanges
          ? [
              {
                id: "remove",
                label: "Remove",
                icon: "delete",
                title: (count) => `Remove ${count}`,
                run: () => Promise.resolve(),
                done: (count) => `${count} removed`,
              },
            ]
          : []
      }
      empty={<p>No members yet</p>}
    />,
    createFakeUi(),
  );

test("a list shows its search, its filters and a checkbox for each row", () => {
  const markup = list(four);
  expect(markup).toContain('type="search"');
  expect(markup).toContain("Filters of Members");
  expect(markup).toContain("Select Ada Vidal");
});

test("a list without changes has no checkboxes", () => {
  expect(list(rows, false)).not.toContain('type="checkbox"');
});

test("a list of three rows has no filters, and an empty list shows its text", () => {
  expect(list(rows)).not.toContain("Filters of Members");
  expect(list(rows)).toContain("Select Ada Vidal");
  expect(list([])).toContain("No members yet");
});

test("a row has a menu if it has a choice, also in a list without changes", () => {
  const rename: RowChoice<Row> = {
    id: "rename",
    label: "Rename",
    icon: "edit",
    applies: ({ kind }) => kind === "human",
    onChoose: () => {},
  };
  const markup = list(rows, false, [rename]);
  expect(markup).toContain("Actions of Ada Vidal");
  expect(markup).not.toContain("Actions of Main");
  expect(list(rows, false)).not.toContain("Actions of");
});
