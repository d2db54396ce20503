/** Lists approvals, newest first, in pages. */
import { pagesBy } from "../../kernel/lazy.ts";
import type { Store, Row } from "../../kernel/index.ts";

type ApprovalRow = Row<"approvals">;

const PAGE = 200;

/** Pending approvals are few and have their own index. */
export async function* newestApprovals(
  store: Pick<Store, "select">,
  state: string | undefined,
): AsyncGenerator<readonly ApprovalRow[]> {
  if (state === "pending") {
    yield (await store.select({ table: "approvals", where: { state } })).toSorted(newestFirst);
    return;
  }
  const pages = pagesBy(store, {
    table: "approvals",
    column: "at",
    descending: true,
    size: PAGE,
    idOf: ({ id }) => id,
  });
  for await (const rows of pages)
    yield rows.filter((row) => state === undefined || row.state === state).toSorted(newestFirst);
}

const newestFirst = (one: ApprovalRow, other: ApprovalRow): number => other.at - one.at || (one.id < other.id ? 1 : -1);
