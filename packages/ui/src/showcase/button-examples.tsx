/** Examples of buttons, menus, dialogs and announcements. */
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button, IconButton, IconLink } from "../design/button.tsx";
import { ConfirmDialog, Dialog } from "../design/dialog.tsx";
import { Menu, MenuItem, MenuLink } from "../design/menu.tsx";
import { Popover } from "../design/popover.tsx";
import { Tooltip } from "../design/tooltip.tsx";
import type { Examples } from "./examples.ts";
import * as texts from "./text.ts";

const doNothing = (): void => {};
const SETTINGS = "/settings";

const AnnouncerExample = () => {
  const announce = useAnnounce();
  return <Button onClick={() => announce(texts.announced)}>{texts.announce}</Button>;
};

const ButtonExample = () => (
  <>
    <Button kind="primary">{texts.primary}</Button>
    <Button>{texts.plain}</Button>
    <Button kind="quiet">{texts.quiet}</Button>
    <Button kind="danger">{texts.danger}</Button>
    <Button size="small">{texts.small}</Button>
    <Button icon="plus">{texts.withIcon}</Button>
    <Button isBusy>{texts.busy}</Button>
    <Button disabled>{texts.disabled}</Button>
  </>
);

const IconButtonExample = () => (
  <>
    <IconButton icon="settings" label={texts.settings} />
    <IconButton icon="more" label={texts.disabled} disabled />
  </>
);

const DialogExample = () => {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.openDialog}</Button>
      <Dialog
        title={texts.question}
        isOpen={isOpen}
        onClose={close}
        buttons={<Button onClick={close}>{texts.confirm}</Button>}
      >
        <p>{texts.dialogText}</p>
      </Dialog>
    </>
  );
};

const ConfirmDialogExample = () => {
  const [openKind, setOpenKind] = useState<"plain" | "danger">();
  const close = (): void => setOpenKind(undefined);
  return (
    <>
      <Button onClick={() => setOpenKind("plain")}>{texts.openConfirmation}</Button>
      <Button kind="danger" onClick={() => setOpenKind("danger")}>
        {texts.openWarning}
      </Button>
      <ConfirmDialog
        title={texts.question}
        text={texts.effect}
        confirm={openKind === "danger" ? texts.remove : texts.confirm}
        isDanger={openKind === "danger"}
        isOpen={openKind !== undefined}
        onConfirm={close}
        onClose={close}
      />
    </>
  );
};

const MenuExample = () => (
  <>
    <Menu label={texts.more} icon="more">
      <MenuItem icon="edit" onChoose={doNothing}>
        {texts.rename}
      </MenuItem>
      <MenuLink icon="settings" to={SETTINGS}>
        {texts.settings}
      </MenuLink>
      <MenuItem icon="delete" isDanger onChoose={doNothing}>
        {texts.remove}
      </MenuItem>
    </Menu>
    <Menu label={texts.newItem} icon="plus" text={texts.newItem} isFramed>
      <MenuItem icon="agents" onChoose={doNothing}>
        {texts.newItem}
      </MenuItem>
    </Menu>
  </>
);

const PopoverExample = () => (
  <Popover label={texts.more} buttonLabel={texts.openPopover} button={texts.openPopover}>
    <Button size="small">{texts.confirm}</Button>
  </Popover>
);

const TooltipExample = () => (
  <Tooltip text={texts.effect}>
    {(describedBy) => <Button aria-describedby={describedBy}>{texts.described}</Button>}
  </Tooltip>
);

export const buttonExamples: Examples = {
  Popover: { Example: PopoverExample },
  Tooltip: { Example: TooltipExample },
  Announcer: { Example: AnnouncerExample },
  Button: { Example: ButtonExample },
  IconButton: { Example: IconButtonExample },
  IconLink: { Example: () => <IconLink icon="settings" label={texts.settings} to={SETTINGS} /> },
  Dialog: { Example: DialogExample },
  ConfirmDialog: { Example: ConfirmDialogExample },
  Menu: { Example: MenuExample, otherNames: ["MenuItem", "MenuLink"] },
};
