#!/usr/bin/env node
/**
 * An executable that stands in for Electron where its binary cannot be had. Playwright starts it exactly as it
 * starts Electron: Node runs the app's built main process here, and a child Chromium shows its windows. What
 * Playwright asks of such an executable (read in playwright-core 1.65): it takes Electron's switches, says where
 * its two debuggers listen, and knows `require('electron')`, `app.quit` and `webContents.fromDevToolsTargetId`.
 */
import inspector from 'node:inspector';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startBrowser } from './browser.ts';
import { app, control } from './electron.ts';
import { startProtocolServer } from './protocol.ts';

const stand = new URL('electron.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: stand, format: 'module-typescript', shortCircuit: true } : next(name, context),
});

const given = process.argv.slice(2);
const first = given.findIndex((word) => !word.startsWith('-'));
const folder = resolve(given[first] ?? '.');
process.argv = [process.argv[1] ?? '', folder, ...given.slice(first + 1)];

if (given.some((word) => word.startsWith('--inspect'))) inspector.open(0, '127.0.0.1');
await startProtocolServer();
const entry = control.begin(folder, await startBrowser());

// Electron is ready only after the entry was evaluated, so a wait for it at the top level never ends.
const hang = setTimeout(() => {
  console.error('the main module never ended: a top-level await of app.whenReady()?');
  app.exit(1);
}, 10_000);
await import(pathToFileURL(entry).href);
clearTimeout(hang);
control.ready();
