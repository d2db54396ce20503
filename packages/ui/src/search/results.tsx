/** The results of a search as links, grouped by kind. */
import type { FoundFile, FoundMessage, FoundWorkspaceFile } from "@hearth/protocol";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pathOfFile, pathOfWorkspaceFile } from "../brain/place.ts";
import { Avatar } from "../design/avatar.tsx";
import { Button } from "../design/button.tsx";
import { Icon } from "../design/icon.tsx";
import { documentPath, messagePath, roomPath } from "../house/paths.ts";
import { roomTitle } from "../house/room-title.ts";
import { Time } from "../house/time.tsx";
import { useHouse } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import { ExcerptText } from "./excerpt-text.tsx";
import styles from "./search.module.css";
import * as texts from "./text.ts";
import type { Results as Found } from "./use-results.ts";

export interface ResultsProps {
  readonly results: Found;
  readonly onOpen: () => void;
  readonly onMore: () => void;
}

export const countOf = ({ messages, files, workspaceFiles, agents, rooms }: Found): number =>
  messages.length + files.length + workspaceFiles.length + agents.length + rooms.length;

export const Results = ({ results, onOpen, onMore }: ResultsProps) => {
  const { messages, files, workspaceFiles, agents, rooms, hasMore, isComplete } = results;
  return (
    <>
      <Group title={texts.rooms}>
        {rooms.map(({ id, handle, name }) => (
          <Hit key={id} path={roomPath(handle)} sign={<Icon name="room" />} onOpen={onOpen}>
            <bdi className={styles.title}>{toVisible(name)}</bdi>
          </Hit>
        ))}
      </Group>
      <Group title={texts.agents}>
        {agents.map(({ id, handle, name, kind }) => (
          <Hit
            key={id}
            path={`/settings/agents/${encodeURIComponent(handle)}`}
            sign={<Avatar name={name} kind={kind} size="small" />}
            onOpen={onOpen}
          >
            <bdi className={styles.title}>{toVisible(name)}</bdi>
            <span className={styles.about}>@{handle}</span>
          </Hit>
        ))}
      </Group>
      <Group title={texts.messages}>
        {messages.map((message) => (
          <MessageHit key={keyOf(message)} message={message} onOpen={onOpen} />
        ))}
      </Group>
      {hasMore ? (
        <Button kind="quiet" onClick={onMore}>
          {texts.showMore}
        </Button>
      ) : undefined}
      <Group title={texts.memory}>
        {files.map((file) => (
          <FileHit key={`${file.agent} ${file.path} ${file.lines[0]}`} file={file} onOpen={onOpen} />
        ))}
      </Group>
      <Group title={texts.workspaceFiles}>
        {workspaceFiles.map((file) => (
          <WorkspaceHit key={`${file.agent} ${file.path}`} file={file} onOpen={onOpen} />
        ))}
      </Group>
      {isComplete ? undefined : <p className={styles.about}>{texts.stillIndexing}</p>}
    </>
  );
};

/** A message may be found by its text and by several passages of its files. */
const keyOf = ({ id, file, excerpt }: FoundMessage): string =>
  file === undefined ? id : `${id} ${file.id} ${file.place ?? ""} ${excerpt.text}`;

const Group = ({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) =>
  children.length === 0 ? undefined : (
    <section className={styles.group}>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  );

interface HitProps {
  readonly path: string;
  readonly sign: ReactNode;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

const Hit = ({ path, sign, onOpen, children }: HitProps) => (
  <li>
    <Link href={path} className={styles.hit} onClick={onOpen}>
      <span className={styles.sign}>{sign}</span>
      <span className={styles.words}>{children}</span>
    </Link>
  </li>
);

/** A hit in a document opens its page; any other one opens the message. */
const pathTo = (handle: string, { offset, file }: FoundMessage): string =>
  file?.place === undefined || PLACES_IN_MESSAGE.has(file.place)
    ? messagePath(handle, offset)
    : documentPath(handle, file, offset);

/** The message itself shows these texts. */
const PLACES_IN_MESSAGE: ReadonlySet<string> = new Set(["caption", "transcript"]);

const MessageHit = ({ message, onOpen }: { readonly message: FoundMessage; readonly onOpen: () => void }) => {
  const { agents, rooms } = useHouse();
  const { room, author, at, excerpt, file } = message;
  const entry = rooms.find((candidate) => candidate.room.id === room);
  const record = agents.get(author);
  const name = record?.content.name ?? texts.formerMember;
  return (
    <Hit
      path={pathTo(entry?.room.handle ?? room, message)}
      sign={<Avatar name={name} kind={record?.content.kind ?? "bot"} size="small" />}
      onOpen={onOpen}
    >
      <span className={styles.about}>
        <bdi className={styles.title}>{toVisible(name)}</bdi> ·{" "}
        <bdi>{entry === undefined ? "" : roomTitle(entry.room)}</bdi> · <Time at={at} style="relative" />
      </span>
      <span className={styles.excerpt}>
        {file === undefined ? undefined : (
          <>
            <bdi className={styles.title}>{toVisible(texts.placeIn(file.name, file.place))}</bdi>{" "}
          </>
        )}
        <ExcerptText {...excerpt} />
      </span>
    </Hit>
  );
};

const FileHit = ({ file, onOpen }: { readonly file: FoundFile; readonly onOpen: () => void }) => {
  const record = useHouse().agents.get(file.agent);
  const name = toVisible(record?.content.name ?? texts.formerMember);
  return (
    <Hit path={pathOfFile(record?.handle ?? file.agent, file.path)} sign={<Icon name="file" />} onOpen={onOpen}>
      <span className={styles.about}>
        <bdi className={styles.title}>{toVisible(file.path)}</bdi> · {texts.memoryOf(name)}
      </span>
      <span className={styles.excerpt} dir="auto">
        {toVisible(file.text)}
      </span>
    </Hit>
  );
};

const WorkspaceHit = ({ file, onOpen }: { readonly file: FoundWorkspaceFile; readonly onOpen: () => void }) => {
  const record = useHouse().agents.get(file.agent);
  const name = toVisible(record?.content.name ?? texts.formerMember);
  return (
    <Hit
      path={pathOfWorkspaceFile(record?.handle ?? file.agent, file.path)}
      sign={<Icon name="file" />}
      onOpen={onOpen}
    >
      <span className={styles.about}>
        <bdi className={styles.title}>{toVisible(file.path)}</bdi> · {texts.workspaceOf(name)}
      </span>
      {file.excerpt === undefined ? undefined : (
        <span className={styles.excerpt} dir="auto">
          <ExcerptText {...file.excerpt} />
        </span>
      )}
    </Hit>
  );
};
