import { createServer } from 'node:net'
import { SvcError } from '../../base/errors/svc-error.ts'
import { readVersion } from '../../base/packages/own-package.ts'
import { type ListedPlugin, loadPlugins } from '../../config/plugin-list.ts'
import { linkSchema } from '../../schema/link/link.ts'
import { type App, createApp } from '../../service/app.ts'
import { createLog, logSignals, type RootLog } from '../../service/signals/log.ts'
import { type CommandArgs, type CommandIo, defineCommand, type ExitCode } from '../command/command.ts'
import { type DatabaseUrl, readDatabaseUrl, readPluginFlag } from '../database/database-url.ts'
import { openUrl, projectForUrl, secretsOf } from '../database/open-url.ts'
import { readOnlyDatabase } from '../database/read-only-database.ts'
import { compileProposal } from '../introspect/compile-proposal.ts'
import { readProposal, readSelection, SELECTION_FLAGS } from '../introspect/read-proposal.ts'
import { QUIET_FLAG, Steps } from '../introspect/steps.ts'
import { PROJECT_FLAGS } from '../project/load-project.ts'
import { RunEnd } from '../run/run-end.ts'
import { LOOPBACK_GUARD, LOOPBACK_HOST, refuseOtherHost } from './loopback-guard.ts'
import { printServed, type ServedDatabase, sampleQuery } from './print-served.ts'

const DEFAULT_PORT = 8080

/** The command `svc serve`, which serves a database without a project, on this machine only. */
export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Serve an existing database at once, without a project.',
  description:
    'Reads the catalog, proposes a schema and serves it as GraphQL and REST, with a query editor and an OpenAPI page, to this\n' +
    'machine only and without credentials. No file is written, and no statement can change the database: with --write\n' +
    'its volatile functions become mutations. Prints what is served, what is left out and why, and the command that turns\n' +
    'the database into a project.',
  arguments: [
    {
      name: 'URL',
      description:
        'postgres://…, mysql://…, sqlite:FILE, pglite:FOLDER, or the path of an SQLite file. Default: DATABASE_URL',
    },
  ],
  options: [
    {
      ...PROJECT_FLAGS.port!.option,
      description: `Port; 0 picks a free one. Default: ${DEFAULT_PORT}, or a free one if it is in use.`,
    },
    {
      ...PROJECT_FLAGS.host!.option,
      description: `Only ${LOOPBACK_HOST}: a service without credentials is for this machine.`,
    },
    ...SELECTION_FLAGS,
    { name: 'write', type: 'boolean', description: 'Also serve volatile functions, as mutations.' },
    PROJECT_FLAGS.preset!.option,
    {
      name: 'plugin',
      type: 'string',
      value: 'FILE',
      description: 'File, folder or package of a plugin with the driver for the URL, when svc has none.',
    },
    QUIET_FLAG,
    { name: 'verbose', type: 'boolean', description: 'List everything that is left out or renamed.' },
  ],
  examples: [
    'svc serve postgres://localhost/shop',
    'svc serve chinook.db --port 9000',
    'svc serve duckdb:shop.duckdb --plugin ./plugin-duckdb',
    'DATABASE_URL=postgres://… svc serve --schema app --exclude "*_old"',
  ],
  run,
})

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  const { flags, positionals } = args
  refuseOtherHost(flags.host)
  const given = positionals[0] ?? io.env.DATABASE_URL
  if (given === undefined || given === '') {
    throw new SvcError('SVC_USAGE', 'Name a database: svc serve URL, or set DATABASE_URL.\nSee: svc serve --help')
  }
  const use = typeof flags.plugin === 'string' ? readPluginFlag(flags.plugin, io.cwd) : undefined
  const url = readDatabaseUrl(given, io.cwd, use)
  const end = new RunEnd(io, io.stopSignal())
  end.doing = 'the database was being read'
  try {
    const serving = await end.orStopped(boot(url, args, io))
    if (serving === null) return end.code
    end.log = serving.log
    try {
      const stopped = new Promise<void>((resolve) =>
        end.stop.addEventListener('abort', () => resolve(), { once: true }),
      )
      if (end.stop.aborted) return end.code
      const address = await serving.app.listen()
      const served = { ...serving.served, address: address.replace(/\/$/, '') }
      io.stdout(printServed(served, flags.verbose === true))
      await stopped
    } finally {
      await serving.app.close()
      serving.endLog()
    }
    return end.code
  } finally {
    end.close()
  }
}

interface Serving {
  readonly app: App
  readonly log: RootLog
  readonly endLog: () => void
  readonly served: Omit<ServedDatabase, 'address'>
}

/** Boots the service without listening. The caller closes the app, which closes the database. */
async function boot(url: DatabaseUrl, args: CommandArgs, io: CommandIo): Promise<Serving> {
  const started = performance.now()
  const steps = new Steps(io, 5, args.flags.quiet === true)
  const writes = args.flags.write === true
  const settings = await settingsOf(args)
  const opened = await steps.run('Connecting', () => openUrl(url, io, settings, !writes))
  // Most of the start is the loading of code, which the waits for the database leave time for. Errors appear at the second load.
  void loadPlugins(opened.project.list.listed).catch(() => {})
  const database = writes ? opened.database : readOnlyDatabase(opened.database)
  try {
    const { model, ...proposal } = await readProposal(opened.database, readSelection(args), { writes }, steps)
    const { compiled, report } = await steps.run('Compiling the schema', () =>
      compileProposal(opened.project, proposal, database, io),
    )
    const hasEditor = opened.project.list.listed.some(({ manifest }) => manifest.name === 'graphiql')
    const query = hasEditor ? sampleQuery(compiled) : null
    const project = await projectForUrl(url, io, [
      ...settings,
      ...(query === null ? [] : [{ flag: 'URL', key: 'svc.graphiql.default_query', value: query }]),
    ])
    const log = createLog({
      env: { SVC_LOG_LEVEL: 'warn', ...io.env },
      write: (line) => io.stderr(line),
      isTerminal: io.isTerminal,
      secrets: secretsOf(opened),
    })
    const { signals } = opened
    const endLog = logSignals(signals, log)
    const { config, baseDir, list } = project
    const app = await steps.run('Starting the service', async () =>
      createApp({
        config,
        baseDir,
        log,
        signals,
        plugins: [...(await loadPlugins(list.listed)), LOOPBACK_GUARD],
        known: list.left,
        version: readVersion(),
        loadSchema: async () => linkSchema(compiled),
        database,
      }),
    )
    const served = {
      url: url.url,
      isForeign: url.use !== undefined,
      model,
      compiled,
      report,
      writes,
      restPath: restPathOf(list.listed),
      app,
      seconds: (performance.now() - started) / 1000,
    }
    return { app, log, endLog, served }
  } catch (error) {
    await opened.database.close()
    throw error
  }
}

function restPathOf(listed: readonly ListedPlugin[]): string | null {
  const path = listed.find(({ manifest }) => manifest.name === 'rest')?.options.path
  return typeof path === 'string' ? path : null
}

/** Settings of a service for this machine alone, which creates no tables in the database. */
async function settingsOf({ flags }: CommandArgs) {
  const port = typeof flags.port === 'string' ? flags.port : String(await freePort())
  return [
    { flag: '--host', key: 'server.host', value: LOOPBACK_HOST },
    { flag: '--port', key: 'server.port', value: port },
    { flag: 'svc serve', key: 'security.default_policy', value: 'public' },
    { flag: 'svc serve', key: 'svc.create_tables', value: 'false' },
    ...(typeof flags.preset === 'string' ? [{ flag: '--preset', key: 'plugins.preset', value: flags.preset }] : []),
  ]
}

/** Returns the default port, or 0 if another program listens on it. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(0))
    probe.listen(DEFAULT_PORT, LOOPBACK_HOST, () => probe.close(() => resolve(DEFAULT_PORT)))
  })
}
