#!/usr/bin/env node
/**
 * `node:sqlite` is there without a flag from Node 22.13 on. An older Node must be told so before anything that needs
 * it is loaded; so this file imports nothing until it knows.
 */
const NEEDED = { major: 22, minor: 13 } as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED.major || (major === NEEDED.major && minor < NEEDED.minor)) {
  process.stderr.write(
    `covel-lens: this is Node ${process.versions.node}; install Node ${NEEDED.major}.${NEEDED.minor} or newer and run it again.\n`,
  );
  process.exitCode = 2;
} else {
  const { main } = await import('./cli/main.ts');
  await main(process.argv.slice(2));
}

export {};
