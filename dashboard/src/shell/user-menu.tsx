import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
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
import { useSignOut } from '../session/use-entrance.ts';
import classes from './navbar.module.css';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const;

/** Shows who is signed in, and offers colours and the sign-out. */
export function UserMenu() {
  const { session } = useAgent();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
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
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            fw={colorScheme === value ? 600 : 400}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/api/v1/docs" leftSection={<IconFileText size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logout.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
