/**
 * Panels that a person resizes keep their sizes. They are remembered in per cent of the group, under the group's name
 * in the settings; a panel that is closed gives its room to the others and gets it back when it opens again.
 */
import { Fragment, type ReactNode } from 'react';
import { Group, Panel, Separator, type Layout } from 'react-resizable-panels';
import { actions, useLens } from '../app/store.ts';
import './split.css';

export type SplitPanel = {
  readonly id: string;
  readonly content: ReactNode;
  /** Closed panels are not drawn. */
  readonly open?: boolean;
  /** Pixels; without one the panel takes what is left. */
  readonly size?: number;
  /** Pixels. */
  readonly min?: number;
  readonly max?: number;
};

/**
 * @param props.id name of the group in the settings
 * @param props.label spoken name of the handles between the panels
 */
export function Split(props: {
  readonly id: string;
  readonly orientation: 'horizontal' | 'vertical';
  readonly panels: readonly SplitPanel[];
  readonly label: string;
}): ReactNode {
  const open = props.panels.filter((panel) => panel.open !== false);
  const name = `${props.id}:${open.map((panel) => panel.id).join('+')}`;
  const sizes = useLens((state) => state.panels[name]);
  const kept: Layout | undefined =
    sizes?.length === open.length ? Object.fromEntries(open.map((panel, i) => [panel.id, sizes[i] ?? 0])) : undefined;

  return (
    <Group
      key={name}
      id={props.id}
      className="ui-split"
      orientation={props.orientation}
      {...(kept ? { defaultLayout: kept } : {})}
      onLayoutChanged={(layout, { isUserInteraction }) => {
        if (isUserInteraction)
          actions.setPanels(
            name,
            open.map((panel) => layout[panel.id] ?? 0),
          );
      }}
    >
      {open.map((panel, i) => (
        <Fragment key={panel.id}>
          {i > 0 && <Separator className="ui-separator" aria-label={props.label} />}
          <Panel
            id={panel.id}
            className="ui-panel"
            {...(panel.size === undefined
              ? {}
              : { defaultSize: panel.size, groupResizeBehavior: 'preserve-pixel-size' })}
            {...(panel.min === undefined ? {} : { minSize: panel.min })}
            {...(panel.max === undefined ? {} : { maxSize: panel.max })}
          >
            {panel.content}
          </Panel>
        </Fragment>
      ))}
    </Group>
  );
}
