/**
 * Lists the devices on which the current user is logged in, with their names and last use. Logs
 * devices out.
 */
import { observe } from "@hearth/client";
import type { Session } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { ListTable } from "../../lists/list-table.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { AddDevice } from "./add-device.tsx";
import { nameBrowser } from "./name-browser.ts";
import * as texts from "./text.ts";

export const SessionsSection = () => {
  const { client } = useUi();
  const request = useRequest(useCallback(() => client.sessions.list(), [client]));
  return (
    <Section title={texts.devices} text={texts.devicesDetail}>
      <RequestView request={request}>
        {(sessions) => (
          <>
            <SessionList sessions={sessions} onChange={request.reload} />
            <AddDevice sessions={sessions} onPoll={request.reload} />
          </>
        )}
      </RequestView>
    </Section>
  );
};

export interface SessionListProps {
  readonly sessions: readonly Session[];
  readonly onChange: () => void;
}

/** Lists this device first, and then the others from the latest to the earliest use. */
export const SessionList = ({ sessions, onChange }: SessionListProps) => {
  const { client } = useUi();
  const [renamedSession, setRenamedSession] = useState<Session>();
  const rows = sessions.toSorted((a, b) => Number(b.isThis) - Number(a.isThis) || b.usedAt - a.usedAt);
  const close = (): void => setRenamedSession(undefined);
  return (
    <>
      <ListTable
        label={texts.devices}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={titleOf}
        columns={columns}
        searchText={({ name = "", about, address = "" }) => `${name} ${nameBrowser(about)} ${address}`}
        choices={[{ id: "rename", label: texts.rename, icon: "edit", onChoose: setRenamedSession }]}
        changes={[
          {
            id: "end",
            label: texts.logOut,
            icon: "logout",
            title: texts.logOutCount,
            applies: ({ isThis }) => !isThis,
            run: ({ id }) => client.sessions.end(id),
            done: texts.loggedOutCount,
          },
        ]}
        onChanged={onChange}
        empty={<EmptyState icon="system" title={texts.noDevices} />}
      />
      {sessions.some(({ isThis }) => !isThis) ? (
        <LogOutOthers onDone={onChange} />
      ) : (
        <p className={styles.quiet}>{texts.noOtherSessions}</p>
      )}
      <Dialog
        title={renamedSession === undefined ? "" : texts.renameBrowser(titleOf(renamedSession))}
        isOpen={renamedSession !== undefined}
        onClose={close}
      >
        {renamedSession === undefined ? undefined : (
          <RenameForm
            session={renamedSession}
            onClose={close}
            onSaved={() => {
              close();
              onChange();
            }}
          />
        )}
      </Dialog>
    </>
  );
};

const columns: readonly [TableColumn<Session>, ...TableColumn<Session>[]] = [
  {
    title: texts.device,
    cell: (session) => (
      <span className={styles.about}>
        <span className={styles.name}>{titleOf(session)}</span>
        {session.name === undefined ? undefined : (
          <span className={styles.quiet}>{toVisible(nameBrowser(session.about))}</span>
        )}
      </span>
    ),
  },
  {
    title: texts.lastUse,
    cell: ({ isThis, usedAt }) =>
      isThis ? <Badge kind="success">{texts.thisDevice}</Badge> : <Time at={usedAt} style="relative" />,
  },
  { title: texts.loggedIn, cell: ({ createdAt }) => <Time at={createdAt} style="relative" /> },
  { title: texts.address, cell: ({ address }) => (address === undefined ? undefined : toVisible(address)) },
];

const LogOutOthers = ({ onDone }: { readonly onDone: () => void }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const endOthers = async (): Promise<void> => {
    if (await submission.run(async () => void (await client.sessions.endAll({ others: true }))))
      announce(texts.allOtherSessionsEnded);
    onDone();
  };
  return (
    <>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button isBusy={submission.isBusy} onClick={() => observe(endOthers())}>
          {texts.logOutAllOthers}
        </Button>
      </div>
    </>
  );
};

interface RenameFormProps {
  readonly session: Session;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const RenameForm = ({ session, onClose, onSaved }: RenameFormProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [name, setName] = useState(session.name ?? "");
  const save = async (): Promise<void> => {
    if (await submission.run(() => client.sessions.edit(session.id, { name: name.trim() }))) onSaved();
  };
  return (
    <Form onSubmit={save}>
      <Field label={texts.deviceName} hint={texts.deviceNameHint}>
        {(ids) => (
          <TextInput
            {...ids}
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.save}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};

const titleOf = ({ name, about }: Session): string => toVisible(name ?? nameBrowser(about));
