/** Examples of components without input, such as notices, icons and tables. */
import { HearthError } from "@hearth/protocol";
import { useState } from "react";
import { Avatar } from "../design/avatar.tsx";
import { Badge } from "../design/badge.tsx";
import { Button } from "../design/button.tsx";
import { Card } from "../design/card.tsx";
import { EmptyState } from "../design/empty-state.tsx";
import { VisuallyHidden } from "../design/hidden.tsx";
import { Icon, iconNames } from "../design/icon.tsx";
import { Mark } from "../design/mark.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { QrCode } from "../design/qr-code.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Spinner } from "../design/spinner.tsx";
import { Table } from "../design/table.tsx";
import { Tabs } from "../design/tabs.tsx";
import type { Examples } from "./examples.ts";
import styles from "./showcase.module.css";
import * as texts from "./text.ts";

const AvatarExample = () => (
  <>
    <Avatar name="Ada Vidal" kind="human" />
    <Avatar name="Main" kind="bot" />
    <Avatar name="Ada Vidal" kind="human" size="small" />
    <Avatar name="Main" kind="bot" size="small" />
  </>
);

const HiddenExample = () => (
  <p>
    {texts.hiddenText}
    <VisuallyHidden> {texts.onlyForReaders}</VisuallyHidden>
  </p>
);

const IconExample = () => (
  <ul className={styles.icons}>
    {iconNames.map((name) => (
      <li key={name}>
        <Icon name={name} />
        <span>{name}</span>
      </li>
    ))}
  </ul>
);

const NoticeExample = () => (
  <>
    <Notice kind="info" title={texts.info}>
      {texts.noticeDetail}
    </Notice>
    <Notice kind="success" title={texts.success} />
    <Notice kind="danger" title={texts.failure} button={<Button size="small">{texts.confirm}</Button>}>
      {texts.noticeDetail}
    </Notice>
  </>
);

/** Shows an error of the house, and one of the page itself. */
const ErrorNoticeExample = () => (
  <>
    <ErrorNotice error={new HearthError("store.unavailable", texts.houseError, { hint: texts.houseHint })} />
    <ErrorNotice error={new TypeError(texts.houseError)} />
  </>
);

const rows = [
  { id: "one", title: texts.one },
  { id: "two", title: texts.two },
] as const;
const columns = [
  { title: texts.name, cell: ({ title }: (typeof rows)[number]) => title },
  { title: texts.agent, cell: () => "Main" },
] as const;

const TableExample = () => {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(["two"]));
  return (
    <>
      <Table
        label={texts.table}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        columns={columns}
        selection={{ keys, onChange: setKeys }}
        detailOf={() => <p>{texts.details}</p>}
      />
      <Table
        label={texts.plainTable}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        columns={columns}
      />
    </>
  );
};

const EmptyStateExample = () => (
  <EmptyState icon="room" title={texts.nothingYet} text={texts.noticeDetail}>
    <Button size="small">{texts.confirm}</Button>
  </EmptyState>
);

const BadgeExample = () => (
  <>
    <Badge>{texts.plain}</Badge>
    <Badge kind="success">{texts.success}</Badge>
    <Badge kind="accent">{texts.info}</Badge>
    <Badge kind="danger">{texts.failure}</Badge>
  </>
);

const CardExample = () => (
  <Card aria-label={texts.name}>
    <p>{texts.noticeDetail}</p>
  </Card>
);

const TabsExample = () => (
  <Tabs
    label={texts.exampleTabs}
    tabs={[
      { title: texts.one, path: "/ui/design", isCurrent: true },
      { title: texts.two, path: "/ui/design#two", isCurrent: false },
    ]}
  />
);

export const signExamples: Examples = {
  Badge: { Example: BadgeExample },
  Card: { Example: CardExample },
  PageHeader: { Example: () => <p>{texts.atTheTop}</p> },
  Skeleton: { Example: () => <Skeleton label={texts.loading} /> },
  Tabs: { Example: TabsExample },
  EmptyState: { Example: EmptyStateExample },
  Avatar: { Example: AvatarExample },
  VisuallyHidden: { Example: HiddenExample },
  Icon: { Example: IconExample },
  Mark: { Example: Mark },
  Notice: { Example: NoticeExample },
  ErrorNotice: { Example: ErrorNoticeExample },
  QrCode: { Example: () => <QrCode text="https://example.org" label={texts.qrLabel} /> },
  Spinner: { Example: () => <Spinner label={texts.loading} /> },
  Table: { Example: TableExample },
};
