/** Creates a room: name and description. Members are chosen on the room's own page. */
import type { HouseRecord } from "@hearth/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { errorOfField, omitFieldErrors } from "../../models/field-error.ts";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import { NameField } from "../form/name-field.tsx";
import { pathOfRoom, paths } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { UpLink } from "../form/up-link.tsx";
import * as texts from "./text.ts";

export const NewRoomPage = ({ house }: { readonly house: HouseRecord }) => {
  const { client } = useUi();
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [isNameMissing, setNameMissing] = useState(false);
  const createRoom = async (): Promise<void> => {
    setNameMissing(name.trim() === "");
    if (name.trim() === "") return;
    await submission.run(async () => {
      const content = description.trim() === "" ? {} : { description: description.trim() };
      const { handle } = await client.rooms.create({ name: name.trim(), ...content }, { house: house.id });
      announce(texts.roomCreated(name.trim()));
      navigate(pathOfRoom(handle));
    });
  };
  return (
    <>
      <UpLink to={paths.rooms}>{texts.rooms}</UpLink>
      <Section title={texts.newRoom} text={texts.newRoomAccess}>
        <Form onSubmit={createRoom}>
          <NameField
            value={name}
            error={isNameMissing ? texts.enterAName : errorOfField(submission.error, "name")}
            onChange={(newName) => {
              setNameMissing(false);
              submission.clear();
              setName(newName);
            }}
          />
          <Field label={texts.description} hint={texts.roomDescriptionHint}>
            {(ids) => (
              <TextInput
                {...ids}
                value={description}
                autoComplete="off"
                onChange={(event) => setDescription(event.target.value)}
              />
            )}
          </Field>
          {submission.error === undefined || omitFieldErrors(submission.error, ["name"]) === undefined ? undefined : (
            <ErrorNotice error={submission.error} />
          )}
          <div className={styles.buttons}>
            <Button kind="primary" type="submit" isBusy={submission.isBusy}>
              {texts.createRoom}
            </Button>
          </div>
        </Form>
      </Section>
    </>
  );
};
