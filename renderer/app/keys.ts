/**
 * A key means a command wherever the focus is, except where it already means something: text while typing, activation
 * on a button, movement on a handle or in a menu. With another keyboard layout or an input method, the key's place on
 * the board stands in for its sign.
 */
import { useEffect } from 'react';
import { isApple } from '../host.ts';
import { engine } from '../engine-client.ts';
import { commandOfKey, runCommand, runShellCommand } from './commands.ts';
import { useLens } from './state.ts';

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'>;

/** Name of a key press as the registry writes it, or null when it cannot be a command. */
export function keyName(event: KeyPress, apple: boolean): string | null {
  if (event.isComposing || event.altKey) return null;
  const mod = apple ? event.metaKey : event.ctrlKey;
  const other = apple ? event.ctrlKey : event.metaKey;
  if (other) return null;
  let key = event.key;
  if (event.code === 'Slash' && (key === 'Process' || key.charCodeAt(0) > 0x7f)) key = event.shiftKey ? '?' : '/';
  else if (/^Key[A-Z]$/.test(event.code) && !/^[\x20-\x7e]$/.test(key)) key = event.code.slice(3);
  if (/^[A-Za-z]$/.test(key)) {
    if (event.shiftKey) return null;
    key = key.toLowerCase();
  }
  return mod ? `mod+${key}` : key;
}

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="textbox"], .monaco-editor';
const ACTIVATED = 'button, a[href], summary, [role="tab"], [role="menuitem"], [role="checkbox"]';
const MOVING = '[role="separator"], [role="menu"], [role="combobox"], [role="slider"]';

/** Whether the element that has the focus wants this key for itself. */
export function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element) || key.startsWith('mod+')) return false;
  if (target.closest(TYPING)) return true;
  if (key === ' ' || key === 'Enter') return target.closest(ACTIVATED) !== null;
  return (key.startsWith('Arrow') || key === 'Home' || key === 'End') && target.closest(MOVING) !== null;
}

/** Listens for keys and for commands of the desktop menu as long as the window is there. */
export function useKeys(): void {
  useEffect(() => {
    const apple = isApple();
    // A held key repeats faster than the window can be drawn: at most one step a frame, so that none pile up.
    let busy = false;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const key = keyName(event, apple);
      if (key === null || isTaken(event.target, key)) return;
      const command = commandOfKey(key);
      if (!command || (useLens.getState().overlay !== null && command.id !== 'palette.open')) return;
      if (event.repeat && busy) return event.preventDefault();
      if (!runCommand(command)) return;
      event.preventDefault();
      busy = true;
      requestAnimationFrame(() => (busy = false));
    };
    window.addEventListener('keydown', onKeyDown);
    const stop = engine.onEvent((event) => {
      if (event.name === 'shell.command') runShellCommand(event.command, event.argument);
    });
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      stop();
    };
  }, []);
}
