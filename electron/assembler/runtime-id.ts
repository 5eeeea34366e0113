/** A runtime that bears its plugin's name is known by that name alone: `narrator`, `world-init/dimension-tracker`. */
import type { RuntimeManifest } from './types.ts';

export const runtimeId = ({ pluginId, name }: Pick<RuntimeManifest, 'pluginId' | 'name'>): string =>
  name === pluginId || name.startsWith(`${pluginId}/`) ? name : `${pluginId}/${name}`;
