import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { Parley } from '@parley/client/server';
import {
  connectDatabase,
  insertMember,
  issueSignInLink,
  obtainUser,
  type Database,
} from '@parley/database';
import type { Role } from '@parley/protocol';
import { programPath, startStandalone, type Standalone } from '@parley/testkit';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/** Somebody at a browser, signed in. */
export type Visitor = {
  readonly page: Page;
  readonly email: string;
  readonly userId: string;
  readonly memberId: string;
  /** What the browser complained about: errors, and what the page's policy forbids. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
};

type VisitOptions = BrowserContextOptions & {
  readonly role?: Role;
  readonly organizationId?: string;
  /** Below the organization's address: 'agents?q=x'. */
  readonly path?: string;
};

/** What `npm start` runs, with its demo organization, and a real browser for as many people as a test needs. */
export class ConsoleUnderTest {
  readonly #database: Database;
  readonly #browser: Browser;
  readonly #standalone: Standalone;
  /** As a backend, with the demo key. */
  readonly parley: Parley;
  #people = 0;

  private constructor(parts: { standalone: Standalone; database: Database; browser: Browser }) {
    this.#standalone = parts.standalone;
    this.#database = parts.database;
    this.#browser = parts.browser;
    this.parley = new Parley(parts.standalone.credentials);
  }

  static async open(
    moreFlags: readonly string[] = [],
    env: Record<string, string> = {},
  ): Promise<ConsoleUnderTest> {
    const standalone = await startStandalone(env);
    const database = connectDatabase({
      url: standalone.databaseUrl,
      poolSize: 2,
      applicationName: 'console-test',
      onError: () => undefined,
    });
    const browser = await chromium.launch({
      executablePath: programPath('chromium-headless-shell'),
      args: [...flags, ...moreFlags],
    });
    return new ConsoleUnderTest({ standalone, database, browser });
  }

  get credentials(): Standalone['credentials'] {
    return this.#standalone.credentials;
  }

  get database(): Database {
    return this.#database;
  }

  /** As the owner of its tables, who can do what the service cannot. */
  get databaseUrl(): string {
    return this.#standalone.databaseUrl;
  }

  /** The link that `npm start` prints. */
  get printedLink(): string {
    return this.#standalone.signInLink;
  }

  url(path = ''): string {
    const { baseUrl, organizationId } = this.credentials;
    return `${baseUrl}/console/${organizationId}/${path}`;
  }

  /** A new browser in which nobody is signed in. */
  async newPage(
    options: BrowserContextOptions = {},
  ): Promise<Pick<Visitor, 'page' | 'complaints' | 'close'>> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    return { page, complaints, close: () => context.close() };
  }

  /** A new member of the organization, signed in by a link. */
  async visit({ role = 'owner', path = '', ...options }: VisitOptions = {}): Promise<Visitor> {
    const { organizationId = this.credentials.organizationId, ...context } = options;
    const person = await this.newMember(role, organizationId);
    const opened = await this.newPage(context);
    const { baseUrl } = this.credentials;
    await opened.page.goto(`${baseUrl}/console/${organizationId}/${path}#sign-in=${person.token}`);
    await opened.page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
    return { ...opened, ...person };
  }

  /** Somebody with a link that was not used yet. */
  async newMember(
    role: Role,
    organizationId = this.credentials.organizationId,
  ): Promise<{ email: string; userId: string; memberId: string; token: string }> {
    this.#people += 1;
    const email = `${role}-${this.#people}@example.com`;
    const name = `Ada ${this.#people}`;
    const userId = await this.#database.asSystem((system) => obtainUser(system, { email, name }));
    return this.#database.inOrganization(organizationId, async (scope) => {
      const memberId = (await insertMember(scope, { userId, role })) ?? '';
      const { token } = await issueSignInLink(scope, memberId);
      return { email, userId, memberId, token };
    });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#database.close();
    await this.#standalone.stop();
  }
}
