/** The automations of one or several agents in one table: filters in the address, and changes of several rows. */
import { observe } from "@hearth/client";
import type { AgentRecord, JobList } from "@hearth/protocol";
import { useCallback, useMemo, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { ConfirmDialog } from "../design/dialog.tsx";
import { EmptyState } from "../design/empty-state.tsx";
import { FilterBar } from "../design/filter-bar.tsx";
import { VisuallyHidden } from "../design/hidden.tsx";
import { Menu, MenuItem } from "../design/menu.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Table, type TableColumn } from "../design/table.tsx";
import { useRequest } from "../house/request.ts";
import { RequestView } from "../house/request-view.tsx";
import { MIN_FILTERED_ROWS } from "../lists/list-table.tsx";
import { type Bulk, useBulk } from "../lists/use-bulk.ts";
import { useInterval } from "../house/interval.ts";
import { useFilters } from "../house/filters.ts";
import { useUi } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import {
  type Automation,
  type AutomationFilters,
  automationKinds,
  automationStates,
  canDelete,
  filterAutomations,
  filterNames,
  isActive,
  isResting,
  keyOf,
  kindOf,
  titleOf,
} from "./automations.ts";
import { FileErrors } from "./file-errors.tsx";
import { JobEditor } from "./job-editor.tsx";
import { JobDetail } from "./job-detail.tsx";
import { describeFailures, describeFate, formatSlotTime, statusWords } from "./job-words.ts";
import styles from "./jobs.module.css";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 5000;

/** The automations of one agent, or the error of their request. An error does not hide the other agents. */
export type AgentAutomations =
  | { readonly agent: AgentRecord; readonly list: JobList }
  | { readonly agent: AgentRecord; readonly error: unknown };

export interface AutomationTableProps {
  readonly agents: readonly AgentRecord[];
  /** Whether the page is about one agent. */
  readonly isOfOne?: boolean;
}

export const AutomationTable = ({ agents, isOfOne = false }: AutomationTableProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  /** The agent of the new job. The form keeps its text while it is closed. */
  const [chosenAgent, setChosenAgent] = useState<AgentRecord>();
  const [isOpen, setOpen] = useState(false);
  const ids = agents.map(({ id, version }) => `${id} ${version}`).join();
  // Depends on the ids, because each render passes another array of agents.
  // oxlint-disable-next-line react/exhaustive-deps
  const stableAgents = useMemo(() => agents, [ids]);
  const load = useCallback(async (): Promise<readonly AgentAutomations[]> => {
    const calls = await client.jobs();
    return Promise.all(
      stableAgents.map((agent) =>
        calls.list(agent.id).then(
          (list) => ({ agent, list }),
          (error: unknown) => ({ agent, error }),
        ),
      ),
    );
  }, [client, stableAgents]);
  const request = useRequest(load);
  useInterval(POLL_INTERVAL_MS, request.reload);
  const add = (agent: AgentRecord): void => {
    setChosenAgent(agent);
    setOpen(true);
  };
  return (
    <>
      <RequestView request={request}>
        {(lists) => <Automations lists={lists} isOfOne={isOfOne} onAdd={add} reload={request.reload} />}
      </RequestView>
      {chosenAgent === undefined ? undefined : (
        <JobEditor
          key={chosenAgent.id}
          agent={chosenAgent}
          job={undefined}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          onSaved={({ name, understood }) => {
            setOpen(false);
            announce(texts.added(name, toVisible(understood)));
            request.reload();
          }}
        />
      )}
    </>
  );
};

interface NewJobProps {
  readonly agents: readonly AgentRecord[];
  readonly onAdd: (agent: AgentRecord) => void;
}

/** A button that begins a job. With several agents, a menu asks for the agent. */
const NewJob = ({ agents, onAdd }: NewJobProps) => {
  const [firstAgent, ...otherAgents] = agents;
  if (firstAgent === undefined) return undefined;
  return otherAgents.length === 0 ? (
    <Button icon="plus" onClick={() => onAdd(firstAgent)}>
      {texts.newJobButton}
    </Button>
  ) : (
    <Menu label={texts.newJobButton} icon="plus" text={texts.newJobButton} isFramed>
      {agents.map((agent) => (
        <MenuItem key={agent.id} icon="agents" onChoose={() => onAdd(agent)}>
          {toVisible(agent.content.name)}
        </MenuItem>
      ))}
    </Menu>
  );
};

export interface AutomationsProps {
  readonly lists: readonly AgentAutomations[];
  /** Whether the page is about one agent. The table then has no column and no filter for agents. */
  readonly isOfOne?: boolean;
  /** Opens the form of a new job. */
  readonly onAdd: (agent: AgentRecord) => void;
  readonly reload: () => void;
}

export const Automations = ({ lists, isOfOne = false, onAdd, reload }: AutomationsProps) => {
  const filters = useFilters(filterNames);
  const agents = lists.map(({ agent }) => agent);
  const rows = lists.flatMap((entry) =>
    "list" in entry ? entry.list.jobs.map((job) => ({ agent: entry.agent, job })) : [],
  );
  const isFiltered = Object.values(filters.values).some((value) => value !== "");
  const newJob = <NewJob agents={agents} onAdd={onAdd} />;
  return (
    <>
      <ListProblems lists={lists} />
      {rows.length > 0 || isFiltered ? (
        <>
          <div className={styles.buttons}>{newJob}</div>
          {isFiltered || rows.length >= MIN_FILTERED_ROWS ? (
            <AutomationFilterBar agents={isOfOne ? [] : agents} filters={filters} />
          ) : undefined}
          <AutomationRows rows={rows} filters={filters.values} isOfOne={isOfOne} reload={reload} />
        </>
      ) : lists.every((entry) => "list" in entry) ? (
        <EmptyState icon="clock" title={texts.noAutomations} text={texts.noAutomationsDetail}>
          {newJob}
        </EmptyState>
      ) : undefined}
    </>
  );
};

/** Errors in the files of jobs, and of lists that could not be read. */
const ListProblems = ({ lists }: Pick<AutomationsProps, "lists">) => (
  <>
    {lists.map((entry) =>
      "list" in entry ? (
        <FileErrors key={entry.agent.id} agent={entry.agent} mistakes={entry.list.mistakes} />
      ) : (
        <section key={entry.agent.id} aria-label={texts.couldNotList(toVisible(entry.agent.content.name))}>
          <ErrorNotice error={entry.error} />
        </section>
      ),
    )}
  </>
);

interface AutomationRowsProps {
  readonly rows: readonly Automation[];
  readonly filters: AutomationFilters;
  readonly isOfOne: boolean;
  readonly reload: () => void;
}

const AutomationRows = ({ rows, filters, isOfOne, reload }: AutomationRowsProps) => {
  const bulk = useBulk<Automation>();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const shownRows = filterAutomations(rows, isOfOne ? { ...filters, agent: "" } : filters);
  // Rows that a filter hides are not changed.
  const selectedRows = shownRows.filter((row) => keys.has(keyOf(row)));
  return (
    <>
      <BulkButtons
        selectedRows={selectedRows}
        bulk={bulk}
        onChanged={(failedRows) => {
          setKeys(new Set(failedRows.map(keyOf)));
          reload();
        }}
      />
      {shownRows.length === 0 ? (
        <p className={styles.quiet}>{texts.noMatches}</p>
      ) : (
        <div>
          {/* Details of a row have headings below this one. */}
          <h2>
            <VisuallyHidden>{texts.list}</VisuallyHidden>
          </h2>
          <Table
            label={texts.automations}
            rows={shownRows}
            keyOf={keyOf}
            nameOf={(row) => (isOfOne ? titleOf(row) : `${titleOf(row)} · ${toVisible(row.agent.content.name)}`)}
            columns={isOfOne ? columns : [columns[0], agentColumn, ...columns.slice(1)]}
            selection={{ keys, onChange: setKeys }}
            detailOf={({ agent, job }) => (
              <div className={styles.detail}>
                <JobDetail agent={agent} job={job} onChange={reload} />
              </div>
            )}
          />
        </div>
      )}
    </>
  );
};

interface AutomationFilterBarProps {
  readonly agents: readonly AgentRecord[];
  readonly filters: ReturnType<typeof useFilters<(typeof filterNames)[number]>>;
}

const AutomationFilterBar = ({ agents, filters: { values, set, clear } }: AutomationFilterBarProps) => (
  <FilterBar
    label={texts.filters}
    values={values}
    onChange={set}
    onClear={clear}
    filters={[
      ...(agents.length === 0 ? [] : [filterOf(agents)]),
      {
        name: "kind",
        label: texts.kind,
        all: texts.allKinds,
        options: automationKinds.map((value) => ({ value, title: texts.kinds[value] })),
      },
      {
        name: "state",
        label: texts.state,
        all: texts.allStates,
        options: automationStates.map((value) => ({ value, title: statusWords[value] })),
      },
    ]}
  />
);

const filterOf = (agents: readonly AgentRecord[]) =>
  ({
    name: "agent",
    label: texts.agent,
    all: texts.allAgents,
    options: agents.map(({ handle, content }) => ({ value: handle, title: toVisible(content.name) })),
  }) as const;

const agentColumn: TableColumn<Automation> = {
  title: texts.agent,
  cell: ({ agent }) => toVisible(agent.content.name),
};

const columns: readonly [TableColumn<Automation>, ...TableColumn<Automation>[]] = [
  {
    title: texts.name,
    cell: (row) => (
      <span className={styles.about}>
        <span className={styles.name}>{titleOf(row)}</span>
        <span className={styles.quiet}>{toVisible(row.job.understood)}</span>
      </span>
    ),
  },
  { title: texts.kind, cell: ({ job }) => texts.kindWords[kindOf(job)] },
  { title: texts.state, cell: ({ job }) => <State job={job} /> },
  { title: texts.nextRun, cell: ({ job: { next } }) => (next === undefined ? texts.noNextRun : formatSlotTime(next)) },
];

const State = ({ job }: Pick<Automation, "job">) => {
  const { status, last } = job;
  const failures = describeFailures(job);
  return (
    <span className={styles.about}>
      <span className={classes(status === "halted" && styles.failed)}>{statusWords[status]}</span>
      {failures === undefined ? undefined : <span className={styles.failed}>{failures}</span>}
      {last === undefined ? undefined : (
        <span className={classes(styles.quiet, last.fate === "failed" && styles.failed)}>
          {texts.lastRun(describeFate(last), formatSlotTime(last.slot))}
        </span>
      )}
    </span>
  );
};

interface BulkButtonsProps {
  readonly selectedRows: readonly Automation[];
  readonly bulk: Bulk<Automation>;
  /** Called with the rows that were not changed. */
  readonly onChanged: (failedRows: readonly Automation[]) => void;
}

/** Buttons that change the selected rows. Each names the number of rows that it changes. */
const BulkButtons = ({ selectedRows, bulk, onChanged }: BulkButtonsProps) => {
  const { client } = useUi();
  const [isDeleting, setDeleting] = useState(false);
  const [activeRows, pausedRows, deletableRows] = [isActive, isResting, canDelete].map((test) =>
    selectedRows.filter(test),
  ) as [Automation[], Automation[], Automation[]];
  const pause = async (rows: readonly Automation[], paused: boolean): Promise<void> => {
    const calls = await client.jobs();
    const change = ({ agent, job }: Automation) => calls.edit(agent.id, job.name, { paused });
    onChanged(await bulk.run(rows, change, paused ? texts.pausedCount : texts.resumedCount));
  };
  const remove = async (): Promise<void> => {
    setDeleting(false);
    const calls = await client.jobs();
    onChanged(await bulk.run(deletableRows, ({ agent, job }) => calls.cancel(agent.id, job.name), texts.deletedCount));
  };
  return (
    <>
      {selectedRows.length === 0 ? undefined : (
        <div role="group" aria-label={texts.selectedAutomations} className={styles.buttons}>
          <span>{texts.selectedCount(selectedRows.length)}</span>
          {activeRows.length === 0 ? undefined : (
            <Button size="small" isBusy={bulk.isBusy} onClick={() => observe(pause(activeRows, true))}>
              {texts.pauseCount(activeRows.length)}
            </Button>
          )}
          {pausedRows.length === 0 ? undefined : (
            <Button size="small" isBusy={bulk.isBusy} onClick={() => observe(pause(pausedRows, false))}>
              {texts.resumeCount(pausedRows.length)}
            </Button>
          )}
          {deletableRows.length === 0 ? undefined : (
            <Button size="small" kind="danger" isBusy={bulk.isBusy} onClick={() => setDeleting(true)}>
              {texts.deleteCount(deletableRows.length)}
            </Button>
          )}
        </div>
      )}
      {bulk.error === undefined ? undefined : <ErrorNotice error={bulk.error} />}
      <ConfirmDialog
        title={texts.deleteSelected(deletableRows.length)}
        text={texts.deleteSelectedEffect}
        confirm={texts.deleteCount(deletableRows.length)}
        isDanger
        isOpen={isDeleting}
        onConfirm={() => observe(remove())}
        onClose={() => setDeleting(false)}
      />
    </>
  );
};
