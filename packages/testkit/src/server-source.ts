export type Server = {
  url: string;
  /** Completes "PostgreSQL from ". */
  from: string;
  stop(): Promise<void>;
};

/** The kinds of server, in the order in which they are tried. */
export type Sources = {
  docker: () => Promise<Server | undefined>;
  local: () => Promise<Server | undefined>;
  embedded: () => Promise<Server>;
};

export type SourceRequest = {
  /** The name of the server in the log line. */
  name: string;
  /** The variable that names a running server, which is not stopped. */
  variable: string;
  sources: Sources;
};

/** Uses the named server, otherwise the first that can be started here, and logs which. */
export async function startFirst(request: SourceRequest): Promise<Server> {
  const server = await choose(request);
  console.log(`testkit: ${request.name} from ${server.from}`);
  return server;
}

async function choose({ name, variable, sources }: SourceRequest): Promise<Server> {
  const named = process.env[variable];
  if (named !== undefined && named !== '')
    return { url: named, from: variable, stop: () => Promise.resolve() };
  const forced = process.env['TESTKIT_ENGINES'];
  if (forced !== undefined && forced !== '') return startForced(forced, sources);
  for (const start of [sources.docker, sources.local]) {
    const server = await start().catch((error: unknown) => {
      console.warn(`testkit: ${name} did not start: ${String(error)}`);
      return undefined;
    });
    if (server !== undefined) return server;
  }
  return sources.embedded();
}

async function startForced(kind: string, sources: Sources): Promise<Server> {
  if (!Object.hasOwn(sources, kind))
    throw new Error(`TESTKIT_ENGINES is one of ${Object.keys(sources).join(', ')}, not "${kind}"`);
  const server = await sources[kind as keyof Sources]();
  if (server === undefined) throw new Error(`TESTKIT_ENGINES=${kind}, but there is none here`);
  return server;
}
