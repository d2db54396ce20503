/** Lists approvals, newest first, in pages. */
import { pagesBy } from "../../kernel/lazy.ts";
import type { ApprovalQuery } from "@hearth/protocol";
import type { Store, Row } from "../../kernel/index.ts";

type ApprovalRow = Row<"approvals">;

const PAGE_SIZE = 200;

export type ApprovalFilter = Pick<ApprovalQuery, "state" | "activation">;

/**
 * Lists pending approvals, or those of one activation, in one query. They are few and have their
 * own indexes.
 */
export async function* newestApprovals(
  store: Pick<Store, "select">,
  { state, activation }: ApprovalFilter,
): AsyncGenerator<readonly ApprovalRow[]> {
  const hasRequestedState = (row: ApprovalRow): boolean => state === undefined || row.state === state;
  if (activation !== undefined) {
    const rows = await store.select({ table: "approvals", where: { activation } });
    yield rows.filter(hasRequestedState).toSorted(newestFirst);
    return;
  }
  if (state === "pending") {
    yield (await store.select({ table: "approvals", where: { state } })).toSorted(newestFirst);
    return;
  }
  const pages = pagesBy(store, {
    table: "approvals",
    column: "at",
    descending: true,
    size: PAGE_SIZE,
    idOf: ({ id }) => id,
  });
  for await (const rows of pages) yield rows.filter(hasRequestedState).toSorted(newestFirst);
}

const newestFirst = (a: ApprovalRow, b: ApprovalRow): number => b.at - a.at || (a.id < b.id ? 1 : -1);
