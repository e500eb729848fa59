import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconFileText,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { useAgent } from '../api/agent.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { chooseLanguage, chosenLanguage, LANGUAGES, type Language } from '../language/language.ts';
import { useSignOut } from '../session/use-entrance.ts';
import classes from './navbar.module.css';

const SCHEMES = [
  { value: 'light', label: t`Light`, icon: IconSun },
  { value: 'dark', label: t`Dark`, icon: IconMoon },
  { value: 'auto', label: t`As the system`, icon: IconDeviceDesktop },
] as const;

const BROWSERS = 'browser';

/** Shows who is signed in, and offers colours, the language and the sign-out. */
export function UserMenu() {
  const { session } = useAgent();
  const logout = useSignOut();
  const { user } = session;
  return (
    <Menu width={240} position="top-start">
      <Menu.Target>
        <UnstyledButton className={classes.user}>
          <IconUserCircle size={26} stroke={1.4} className={classes.chevron} aria-hidden="true" />
          <span className={classes.who}>
            <div className={classes.name}>
              <PlainText text={user.display_name} />
            </div>
            <div className={classes.detail}>
              <PlainText text={user.email} />
            </div>
          </span>
          <IconSelector size={16} className={classes.chevron} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Appearance />
        <Menu.Divider />
        <LanguageChoice />
        <Menu.Divider />
        <Menu.Item component="a" href="/api/v1/docs" leftSection={<IconFileText size={16} />}>
          <Trans>API reference</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logout.mutate()}>
          <Trans>Sign out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>
        <Trans>Appearance</Trans>
      </Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
        {SCHEMES.map(({ value, label, icon: Icon }) => (
          <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} />}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function LanguageChoice() {
  return (
    <>
      <Menu.Label>
        <Trans>Language</Trans>
      </Menu.Label>
      <Menu.RadioGroup
        value={chosenLanguage() ?? BROWSERS}
        onChange={(value) => chooseLanguage(languageOf(value))}
      >
        <Menu.RadioItem value={BROWSERS}>{t`As the browser`}</Menu.RadioItem>
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <Menu.RadioItem key={language} value={language} lang={language}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

/** @returns undefined for that of the browser. */
function languageOf(value: string): Language | undefined {
  return value === BROWSERS ? undefined : (value as Language);
}
