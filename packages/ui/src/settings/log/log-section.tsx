/** Shows the last lines of the daemon's log, filtered by level and text, and follows new lines. */
import type { LogLevel } from "@hearth/protocol";
import { useCallback, useMemo, useState } from "react";
import { Checkbox, Field, Select, TextInput } from "../../design/field.tsx";
import { Table, type TableColumn } from "../../design/table.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useAttention } from "../../house/attention.ts";
import { useInterval } from "../../house/interval.ts";
import { formatFull, Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { type LogRow, toRows } from "./log-rows.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const MAX_LINES = 200;
/** The pause between two requests while the section follows the log. */
const FOLLOW_INTERVAL_MS = 2000;
const levels = ["debug", "info", "warn", "error"] as const satisfies readonly LogLevel[];

export const LogSection = () => {
  const { client } = useUi();
  const [level, setLevel] = useState<LogLevel>("info");
  const [filter, setFilter] = useState("");
  const [isFollowing, setFollowing] = useState(false);
  const request = useRequest(useCallback(() => client.log({ level, limit: MAX_LINES }), [client, level]));
  const { reload } = request;
  // Without following, the lines stay in place while a person reads them.
  useAttention(reload);
  return (
    <Section title={texts.log} text={texts.logIntroduction}>
      <div className={styles.pair}>
        <Field label={texts.level}>
          {(ids) => (
            <Select {...ids} value={level} onChange={({ target }) => setLevel(target.value as LogLevel)}>
              {levels.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.levelChoices[choice]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={texts.contains}>
          {(ids) => (
            <TextInput
              {...ids}
              type="search"
              value={filter}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => setFilter(target.value)}
            />
          )}
        </Field>
      </div>
      <div className={styles.buttons}>
        <Checkbox label={texts.follow} checked={isFollowing} onChange={({ target }) => setFollowing(target.checked)} />
      </div>
      {isFollowing ? <Follow reload={reload} /> : undefined}
      <RequestView request={request}>
        {({ lines, isWritten }) => (
          <>
            {isWritten ? undefined : <p className={styles.quiet}>{texts.notWritten}</p>}
            <LogTable rows={toRows(lines, filter)} />
          </>
        )}
      </RequestView>
    </Section>
  );
};

const Follow = ({ reload }: { readonly reload: () => void }) => {
  useInterval(FOLLOW_INTERVAL_MS, reload);
  return undefined;
};

export const LogTable = ({ rows }: { readonly rows: readonly LogRow[] }) => {
  const columns = useMemo(
    (): readonly [TableColumn<LogRow>, ...TableColumn<LogRow>[]] => [
      { title: texts.message, cell: ({ line }) => toVisible(line.message) },
      {
        title: texts.level,
        cell: ({ line }) => (
          <span className={line.level === "error" ? styles.missing : styles.quiet}>
            {texts.levelTitles[line.level]}
          </span>
        ),
      },
      { title: texts.time, cell: ({ line }) => <Time at={line.at} style="date-time" /> },
    ],
    [],
  );
  if (rows.length === 0) return <p className={styles.quiet}>{texts.noLines}</p>;
  return (
    <Table
      label={texts.log}
      rows={rows}
      keyOf={({ key }) => key}
      nameOf={({ line }) => toVisible(line.message)}
      columns={columns}
      detailOf={(row) => <LineDetail row={row} />}
    />
  );
};

const LineDetail = ({ row: { line, fields } }: { readonly row: LogRow }) => (
  <dl className={styles.facts}>
    {[{ name: texts.time, value: formatFull(line.at) }, ...fields].map(({ name, value }) => (
      <div key={name}>
        <dt>{toVisible(name)}</dt>
        <dd>{toVisible(value)}</dd>
      </div>
    ))}
  </dl>
);
