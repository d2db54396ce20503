import { expect, test } from "bun:test";
import { createFakeUi } from "../house/fake-ui.tsx";
import { renderUi } from "../rooms/fake-view.tsx";
import { ListTable } from "./list-table.tsx";
import { type ListFilter, matching } from "./matching.ts";

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
  matching(rows, { filters, values: { kind }, search, searchText: ({ name }) => name }).map(({ name }) => name);

test("`matching` returns the rows with each word of the search, in any case", () => {
  expect(find("")).toEqual(["Ada Vidal", "Main", "Ada's helper"]);
  expect(find("ADA")).toEqual(["Ada Vidal", "Ada's helper"]);
  expect(find(" vidal ada ")).toEqual(["Ada Vidal"]);
});

test("`matching` applies the filters together with the search", () => {
  expect(find("", "bot")).toEqual(["Main", "Ada's helper"]);
  expect(find("ada", "bot")).toEqual(["Ada's helper"]);
});

const list = (shown: readonly Row[], hasChanges = true): string =>
  renderUi(
    <ListTable
      label="Members"
      rows={shown}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      columns={[{ title: "Name", cell: ({ name }) => name }]}
      filters={filters}
      searchText={({ name }) => name}
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
  const markup = list(rows);
  expect(markup).toContain('type="search"');
  expect(markup).toContain("Filters of Members");
  expect(markup).toContain("Select Ada Vidal");
});

test("a list without changes has no checkboxes", () => {
  expect(list(rows, false)).not.toContain('type="checkbox"');
});

test("a list of one row has no filters, and an empty list shows its text", () => {
  expect(list(rows.slice(0, 1))).not.toContain("Filters of Members");
  expect(list([])).toContain("No members yet");
});
