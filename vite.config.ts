/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url';
import { defineConfig, type EnvironmentOptions } from 'vite';
import react from '@vitejs/plugin-react';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Code that runs in Node: bundled whole, except what has a native part or comes with its host. */
function node(outDir: string, input: Record<string, string>, format: 'es' | 'cjs'): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { conditions: ['node', 'import', 'module', 'default'], noExternal: true, external: ['better-sqlite3'] },
    build: {
      outDir: at(outDir),
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      sourcemap: true,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, at(path)])),
        external: ['electron', 'better-sqlite3', /^node:/],
        output: { format, entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js' },
      },
    },
  };
}

export default defineConfig({
  root: at('renderer'),
  base: './',
  publicDir: false,
  plugins: [react()],
  builder: {},
  environments: {
    client: {
      build: { outDir: at('dist/renderer'), emptyOutDir: true, target: 'chrome140', chunkSizeWarningLimit: 4000 },
    },
    main: node('dist/main', { main: 'electron/main.ts', 'engine-worker': 'electron/engine/worker.ts' }, 'es'),
    cli: node('dist/cli', { cli: 'electron/cli.ts', 'engine-worker': 'electron/engine/worker.ts' }, 'es'),
    preload: node('dist/preload', { preload: 'electron/preload.ts' }, 'cjs'), // a sandboxed preload must be CommonJS
  },
  worker: { format: 'es' },
  test: {
    root: at('.'),
    include: ['{electron,shared,renderer,scripts,resources}/**/*.test.{ts,tsx}'],
    environment: 'node',
    pool: 'forks',
    reporters: ['default', ['json', { outputFile: at('dist/reports/unit.json') }]],
  },
});
