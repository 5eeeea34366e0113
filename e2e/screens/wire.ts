/** Wire: what was really sent, attempt by attempt, and what came back. */
import { expect, type Page } from '@playwright/test';
import { recordedBody } from './facts.ts';
import { chosenCall, goToCall, goToTurn, read, showView } from './window.ts';

const attempts = (page: Page) => page.getByRole('tablist', { name: 'HTTP attempts' }).getByRole('tab');
const facts = (page: Page) => page.locator('.wire-facts');
const reply = (page: Page) => page.getByRole('complementary', { name: 'Reply' });
const section = (page: Page, title: string) =>
  reply(page)
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: title }) });

async function open(page: Page, turn: number): Promise<void> {
  await goToTurn(page, turn);
  await showView(page, 'wire');
  await expect(reply(page)).toBeVisible();
}

/** The editor holds the recorded body, as far as its first lines tell. */
async function bodyIsRecorded(page: Page, file: string): Promise<void> {
  const body = recordedBody(file, await chosenCall(page)) as { readonly model?: string };
  const lines = page.getByTestId('code-text').locator('.view-lines');
  await expect(lines).toContainText(Object.keys(body)[0] ?? '');
  if (body.model !== undefined) await expect(lines).toContainText(body.model);
}

/** A refused attempt and its retry: two tabs, the second repeats the first body. */
export async function retriedAfter429(page: Page, file: string, turn: number): Promise<void> {
  await open(page, turn);
  await expect(attempts(page)).toHaveCount(3);
  await expect(attempts(page).nth(0)).toContainText('429');
  await expect(attempts(page).nth(1)).toContainText('200');
  await expect(attempts(page).nth(2)).toContainText('Kernel view');
  await expect(attempts(page).nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(facts(page)).toContainText('same body as HTTP 1');
  await expect(facts(page)).toContainText('http-429');
  await bodyIsRecorded(page, file);
  await attempts(page).nth(0).click();
  await expect(facts(page)).not.toContainText('same body');
  await attempts(page).nth(0).press(']');
  await expect(attempts(page).nth(1)).toBeFocused();
  await expect(attempts(page).nth(1)).toHaveAttribute('aria-selected', 'true');
}

/** Another provider answered, in another protocol. */
export async function fallbackHasTwoProtocols(page: Page, turn: number): Promise<void> {
  await open(page, turn);
  await expect(attempts(page).nth(0)).toContainText('529');
  await expect(attempts(page).nth(1)).toContainText('200');
  await expect(facts(page)).toContainText('openai-chat-v1');
  await attempts(page).nth(0).click();
  await expect(facts(page)).toContainText('anthropic-messages-v1');
  await expect(page.locator('footer.status')).toContainText('openai-chat-v1');
}

/** A reply with text and billed usage, then one with tool calls. */
export async function repliesAreWhole(page: Page, file: string, turn: number, usage: readonly string[]): Promise<void> {
  await open(page, turn);
  await goToCall(page, 'narrator', 0);
  await expect(section(page, 'Tool call')).toContainText('get-character');
  await expect(section(page, 'Tool call')).toContainText('阿砚');
  await expect(reply(page)).toContainText('tool_calls');
  await goToCall(page, 'narrator', 1);
  await expect(section(page, 'Text').locator('pre')).toContainText('阿砚');
  await expect(reply(page)).toContainText('stop');
  await expect(reply(page).getByRole('table').locator('td')).toHaveText([...usage]);
  await bodyIsRecorded(page, file);
}

/** What went wrong stands in red words beside the request. */
export async function failureIsSaid(page: Page, turn: number, runtime: string, error: string): Promise<void> {
  await open(page, turn);
  await goToCall(page, runtime);
  await expect(reply(page).locator('.reply-error')).toContainText(error);
  await expect(attempts(page).first()).toContainText('504');
  expect(await read(reply(page).getByRole('table'))).toContain('unknown');
}

/** The engine's own view has messages, before any protocol. */
export async function kernelView(page: Page, turn: number): Promise<void> {
  await open(page, turn);
  await attempts(page).last().click();
  await expect(facts(page)).toContainText('before it was turned into');
  await expect(page.getByTestId('code-text').locator('.view-lines')).toContainText('messages');
}
