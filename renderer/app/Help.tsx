/** All keys, from the registry of commands. */
import type { ReactNode } from 'react';
import { Kbd, Overlay } from '../ui/index.ts';
import { COMMANDS, GROUPS, type CommandGroup } from './commands.ts';
import { useText } from './language/index.ts';
import { actions } from './store.ts';

export function Help(): ReactNode {
  const t = useText();
  const groups = (Object.keys(GROUPS) as CommandGroup[]).map((group) => ({
    group,
    commands: COMMANDS.filter((command) => command.group === group && command.keys.length > 0),
  }));
  return (
    <Overlay label={t('help.title')} onClose={() => actions.setOverlay(null)}>
      <div className="help">
        <h2>{t('help.title')}</h2>
        <div className="help-groups">
          {groups.map(({ group, commands }) => (
            <section key={group}>
              <h3>{t(GROUPS[group])}</h3>
              <dl>
                {commands.map((command) => (
                  <div key={command.id}>
                    <dt>{t(command.title)}</dt>
                    <dd>
                      {command.keys.map((key) => (
                        <Kbd key={key} keys={key} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p>{t('help.note')}</p>
      </div>
    </Overlay>
  );
}
