// `npm test`: every check, each to its end, and one closing line with the sum of them all.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const report = (name) => join(root, 'dist', 'reports', `${name}.json`);

/** What a person runs by hand, run through the npm that runs us. */
const npm = (script) =>
  process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath, 'run', '-s', script]
    : ['npm', 'run', '-s', script];
const node = (...args) => [process.execPath, ...args.map((path, i) => (i === 0 ? join(root, path) : path))];

/**
 * In order. `counts`: how its tests are counted; without it the step is one check. `after`: steps that must have
 * passed for it to make sense. `isQuiet`: its output is shown only when it fails.
 */
const STEPS = [
  { name: 'types', command: npm('typecheck'), isQuiet: true },
  { name: 'lint', command: npm('lint'), isQuiet: true },
  { name: 'unit', command: npm('unit'), counts: vitestCounts },
  { name: 'build', command: npm('build'), isQuiet: true, isNoCheck: true },
  { name: 'chromium', command: node('scripts/chromium.mjs'), isNoCheck: true },
  {
    name: 'e2e',
    command: node('node_modules/@playwright/test/cli.js', 'test'),
    counts: playwrightCounts,
    after: ['build', 'chromium'],
  },
];

function vitestCounts() {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report('unit'), 'utf8'),
  );
  // A file that cannot be loaded has no tests to fail.
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + unloaded, skipped: numPendingTests + numTodoTests };
}

function playwrightCounts() {
  const { stats, errors } = JSON.parse(readFileSync(report('e2e'), 'utf8'));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, skipped: stats.skipped };
}

function countsOf({ counts, isNoCheck }, isPassed) {
  const plain = { passed: isPassed && !isNoCheck ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0 };
  if (!counts) return plain;
  try {
    const counted = counts();
    // A step that failed without a failed test (a report of its own, a crash) still failed.
    return isPassed || counted.failed > 0 ? counted : { ...counted, failed: 1 };
  } catch (error) {
    console.error(`No report that can be read: ${error.message}`);
    return { ...plain, passed: 0, failed: 1 };
  }
}

function run(step, passedSteps) {
  const missing = (step.after ?? []).filter((name) => !passedSteps.has(name));
  if (missing.length > 0) {
    console.log(`\n── ${step.name}: not run, because ${missing.join(' and ')} failed`);
    return { isPassed: false, counts: { passed: 0, failed: 1, skipped: 0 } };
  }
  console.log(`\n── ${step.name}`);
  const [program, ...args] = step.command;
  const began = performance.now();
  const shell = process.platform === 'win32' && program === 'npm';
  const stdio = step.isQuiet ? 'pipe' : 'inherit';
  const ran = spawnSync(program, args, { cwd: root, stdio, encoding: 'utf8', maxBuffer: 1 << 28, shell });
  const isPassed = ran.status === 0;
  if (step.isQuiet && !isPassed)
    console.log(`${ran.stdout ?? ''}${ran.stderr ?? ''}${ran.error?.message ?? ''}`.trimEnd());
  console.log(
    `── ${step.name}: ${isPassed ? 'passed' : 'FAILED'} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  return { isPassed, counts: countsOf(step, isPassed) };
}

for (const name of ['unit', 'e2e']) rmSync(report(name), { force: true });
const passedSteps = new Set();
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const step of STEPS) {
  const { isPassed, counts } = run(step, passedSteps);
  if (isPassed) passedSteps.add(step.name);
  for (const key of ['passed', 'failed', 'skipped']) sum[key] += counts[key];
}
process.exitCode = passedSteps.size === STEPS.length && sum.failed === 0 ? 0 : 1;
console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);
