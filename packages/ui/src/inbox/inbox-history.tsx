/** Decided approvals and proposals in one table, newest first. */
import type { AgentRecord, Proposal } from "@hearth/protocol";
import { useCallback } from "react";
import { describeDecision } from "../brain/proposals/proposal-card.tsx";
import { MAX_LINES } from "../brain/history/diff-view.tsx";
import { Diff } from "../text/diff/diff.tsx";
import { parseUnifiedDiff } from "../brain/history/unified.ts";
import { useNames } from "../brain/use-names.ts";
import { Table, type TableColumn } from "../design/table.tsx";
import { useRequest } from "../house/request.ts";
import { RequestView } from "../house/request-view.tsx";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import styles from "../approvals/approvals.module.css";
import { Call } from "../approvals/call.tsx";
import { listDecidedItems, filterItems, type InboxFilters, type InboxItem, timeOf } from "./inbox-items.ts";
import { describeOutcome, describeRequestedCall } from "../approvals/outcome-words.ts";
import * as texts from "./text.ts";

/** Maximum number of approvals that the history requests. */
const MAX_APPROVALS = 500;

export interface InboxHistoryProps {
  /** The agents whose proposals the person may decide. */
  readonly agents: readonly AgentRecord[];
  readonly filters: InboxFilters;
}

export const InboxHistory = ({ agents, filters }: InboxHistoryProps) => {
  const { client } = useUi();
  const { agents: allAgents } = useHouse();
  const load = useCallback(async () => {
    const [approvals, brains] = await Promise.all([client.approvals(), client.brains()]);
    const [approvalItems, proposalLists] = await Promise.all([
      approvals.list({ limit: MAX_APPROVALS }),
      Promise.all(agents.map(({ id }) => brains.proposals(id).catch((): readonly Proposal[] => []))),
    ]);
    return { approvals: approvalItems, proposals: proposalLists.flat() };
  }, [client, agents]);
  return (
    <RequestView request={useRequest(load)}>
      {({ approvals, proposals }) => (
        <History
          isFiltered={filters.agent !== "" || filters.kind !== ""}
          items={listDecidedItems(
            filterItems(approvals, "approval", filters, allAgents),
            filterItems(proposals, "proposal", filters, allAgents),
          )}
        />
      )}
    </RequestView>
  );
};

interface HistoryProps {
  readonly items: readonly InboxItem[];
  readonly isFiltered: boolean;
}

export const History = ({ items, isFiltered }: HistoryProps) => {
  const { agents, me } = useHouse();
  const nameOf = (id: string): string => toVisible(agents.get(id)?.content.name ?? texts.formerMember);
  const names = useNames();
  const titleOf = (item: InboxItem): string =>
    item.kind === "approval"
      ? describeRequestedCall(item.approval, nameOf(item.approval.agent))
      : texts.changeBy(toVisible(item.proposal.path), nameOf(item.proposal.agent));
  const columns: readonly [TableColumn<InboxItem>, ...TableColumn<InboxItem>[]] = [
    { title: texts.request, cell: titleOf },
    { title: texts.kind, cell: ({ kind }) => texts.kindWords[kind] },
    {
      title: texts.outcome,
      cell: (item) =>
        item.kind === "approval"
          ? describeOutcome(item.approval, me?.agent.id, nameOf)
          : describeDecision(item.proposal, names),
    },
    { title: texts.time, cell: (item) => <Time at={timeOf(item)} style="relative" /> },
  ];
  if (items.length === 0) return <p className={styles.quiet}>{isFiltered ? texts.noMatches : texts.nothingDecided}</p>;
  return (
    <Table
      label={texts.decidedRequests}
      rows={items}
      keyOf={(item) => (item.kind === "approval" ? item.approval.id : item.proposal.id)}
      nameOf={titleOf}
      columns={columns}
      detailOf={(item) =>
        item.kind === "approval" ? (
          <div className={styles.history}>
            <Call approval={item.approval} />
          </div>
        ) : (
          <Diff title={item.proposal.path} lines={parseUnifiedDiff(item.proposal.diff)} maxLines={MAX_LINES} />
        )
      }
    />
  );
};
