import { BookOpen, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { signOut } from '../api/account.js';
import { useMe } from '../api/signed-in.js';
import { IconButton } from '../parts/button.js';
import { Menu, MenuItem, MenuLine, MenuNote } from '../parts/menu.js';
import { tellFailure } from '../parts/toasts.js';
import { setTheme, type Theme } from './theme.js';

const themes: readonly { theme: Theme; label: string; Icon: typeof Sun }[] = [
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
  { theme: 'system', label: 'System', Icon: Monitor },
];

export function UserMenu() {
  const { user, csrfToken } = useMe();
  const leave = () => {
    signOut(csrfToken).then(() => location.assign('/console/'), tellFailure);
  };
  return (
    <Menu trigger={<IconButton label="Your account and theme" icon={<UserRound size={18} />} />}>
      <MenuNote>
        {user.name}
        <br />
        {user.email}
      </MenuNote>
      <MenuLine />
      {themes.map(({ theme, label, Icon }) => (
        <MenuItem key={theme} onSelect={() => setTheme(theme)}>
          <Icon size={16} aria-hidden="true" /> {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void open('/docs', '_blank', 'noopener')}>
        <BookOpen size={16} aria-hidden="true" /> Documentation
      </MenuItem>
      <MenuItem onSelect={leave}>
        <LogOut size={16} aria-hidden="true" /> Sign out
      </MenuItem>
    </Menu>
  );
}
