/** The open sandboxes of an agent, with their isolation and runs, and the settings of new ones. */
import { observe } from "@hearth/client";
import type { AgentRecord, CellInfo, CellKind, OwnCellLimits } from "@hearth/protocol";
import { useCallback } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { useInterval } from "../../house/interval.ts";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import {
  checkLimit,
  isolationWords,
  kindWords,
  type LimitName,
  limitFields,
  applyLimitChanges,
  listLimits,
  describeRunning,
  describeWalls,
} from "./cell-words.ts";
import { RecordFields, Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { useRecordForm } from "../form/use-record-form.ts";
import * as texts from "./text.ts";

export interface AgentCellsProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

/** Refresh interval, because sandboxes open and close without an event. */
const POLL_INTERVAL_MS = 5000;

export const AgentCells = ({ agent, onChange }: AgentCellsProps) => {
  const { client } = useUi();
  const { id } = agent;
  const load = useCallback(async () => (await client.cells.list()).filter((cell) => cell.agent === id), [client, id]);
  const { value, error, reload } = useRequest(load);
  useInterval(POLL_INTERVAL_MS, reload);
  return (
    <Section title={texts.sandboxes} text={texts.sandboxesIntroduction(agent.content.name)}>
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {value === undefined && error === undefined ? <Spinner label={texts.loading} /> : undefined}
      {value === undefined ? undefined : <CellRows agent={agent} cells={value} onChanged={reload} />}
      <CellForm agent={agent} onChange={onChange} />
    </Section>
  );
};

export interface CellRowsProps {
  readonly agent: AgentRecord;
  readonly cells: readonly CellInfo[];
  readonly onChanged: () => void;
}

export const CellRows = ({ agent, cells, onChanged }: CellRowsProps) => {
  const { client } = useUi();
  const { rooms } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const { id } = agent;
  const nameOf = ({ audience }: CellInfo): string => {
    if (audience === "private") return texts.privateSandbox;
    const entry = rooms.find(({ room }) => audience === `room:${room.id}`);
    return entry === undefined ? texts.sandboxOfHiddenRoom : texts.sandboxOfRoom(toVisible(entry.room.content.name));
  };
  const change = async (request: () => Promise<unknown>, announcement: string): Promise<void> => {
    if (await submission.run(async () => void (await request()))) announce(announcement);
    onChanged();
  };
  const open = async (): Promise<void> => void (await client.cells.open(id, (await client.agents.room(id)).id));
  return (
    <>
      {cells.length === 0 ? <p className={styles.quiet}>{texts.noOpenSandboxes}</p> : undefined}
      <ul className={styles.list}>
        {cells.map((cell) => (
          <li key={cell.audience + cell.openedAt} className={styles.row}>
            <span className={styles.about}>
              <span className={styles.name}>{nameOf(cell)}</span>
              <span className={styles.quiet}>
                {cell.backend}, {isolationWords[cell.isolation]} · {texts.opened} <Time at={cell.openedAt} />
              </span>
              <span className={styles.quiet}>{describeWalls(cell)}</span>
              <span className={styles.quiet}>{texts.limitsOf(listLimits(cell.limits))}</span>
              <span className={styles.quiet}>{describeRunning(cell)}</span>
            </span>
            <Button
              size="small"
              aria-label={texts.closeSandbox(nameOf(cell))}
              onClick={() => observe(change(() => client.cells.close(id, cell.audience), texts.sandboxClosed))}
            >
              {texts.close}
            </Button>
          </li>
        ))}
      </ul>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {cells.some(({ audience }) => audience === "private") ? undefined : (
        <div className={styles.buttons}>
          <Button isBusy={submission.isBusy} onClick={() => observe(change(open, texts.sandboxOpened))}>
            {texts.openSandbox}
          </Button>
        </div>
      )}
    </>
  );
};

const kinds = Object.keys(kindWords) as CellKind[];
const textOf = (value: number | undefined): string => (value === undefined ? "" : String(value));

const CellForm = ({ agent, onChange }: AgentCellsProps) => {
  const { client } = useUi();
  const { cell = "", limits = {} } = agent.content;
  const savedFields: Readonly<Record<"cell" | LimitName, string>> = {
    cell,
    memoryMiB: textOf(limits.memoryMiB),
    processes: textOf(limits.processes),
    cpus: textOf(limits.cpus),
    fileMiB: textOf(limits.fileMiB),
    diskMiB: textOf(limits.diskMiB),
  };
  const form = useRecordForm({
    name: `form:cells:${agent.id}`,
    saved: savedFields,
    check: (values) =>
      Object.fromEntries(
        limitFields.flatMap((field) => {
          const error = checkLimit(field, values[field.name]);
          return error === undefined ? [] : [[field.name, error]];
        }),
      ),
    async save({ cell: kind, ...changes }) {
      const content = {
        ...(kind === undefined ? {} : { cell: kind as CellKind | null }),
        ...(Object.keys(changes).length === 0 ? {} : { limits: applyLimitChanges(limits as OwnCellLimits, changes) }),
      };
      onChange(await client.agents.update(agent.id, { content }));
    },
  });
  return (
    <RecordFields form={form} subject={texts.sandboxForm}>
      <Field label={texts.sandboxType} hint={texts.sandboxTypeHint}>
        {(ids) => (
          <Select {...ids} value={form.values.cell} onChange={(event) => form.set("cell", event.target.value)}>
            <option value="">{texts.byDefault}</option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindWords[kind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {limitFields.map(({ name, label }) => (
        <Field key={name} label={label} error={form.errorOf(name)}>
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="decimal"
              autoComplete="off"
              placeholder={texts.byDefault}
              value={form.values[name]}
              onChange={(event) => form.set(name, event.target.value)}
            />
          )}
        </Field>
      ))}
    </RecordFields>
  );
};
