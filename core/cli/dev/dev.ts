import { spawn } from 'node:child_process'
import { SvcError } from '../../base/errors/svc-error.ts'
import { type CommandArgs, type CommandIo, defineCommand, type ExitCode } from '../command/command.ts'
import { printError } from '../command/print-error.ts'
import { PROJECT_FLAGS } from '../project/load-project.ts'
import { RunEnd } from '../run/run-end.ts'
import { DevSession } from './dev-session.ts'

/** The command `svc dev`, which serves a project and reloads it after each change of its files. */
export const devCommand = defineCommand({
  name: 'dev',
  summary: 'Compile, serve, and follow every change of the sources.',
  description:
    'Compiles the schema and serves it. Compiles and reloads when the schema or a module in its folder changes, applies\n' +
    'changed scripts of db/ to an embedded database, and starts the service again when a plugin or svc.toml changes.\n' +
    'Errors appear in the terminal and in the query editor; the last schema that compiled stays active. In a terminal:\n' +
    'o opens the editor, r compiles again, t prints a token, h lists the keys, q quits. Not where NODE_ENV is production.',
  arguments: [{ name: 'INPUT', description: 'svc.toml or its folder. Default: svc.toml' }],
  options: ['port', 'host', 'database', 'preset'].map((name) => PROJECT_FLAGS[name]!.option),
  examples: ['svc dev', 'svc dev shop --port 9000'],
  run,
})

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  if (io.env.NODE_ENV === 'production') {
    const message = 'svc dev is for development: it shows compile errors to callers, and NODE_ENV is production.'
    throw new SvcError('SVC_USAGE', `${message} Use svc compile and svc run.`)
  }
  if (args.positionals[0]?.endsWith('.json') === true) {
    throw new SvcError('SVC_USAGE', 'svc dev compiles the schema of a project: name its folder or svc.toml.')
  }
  const quit = new AbortController()
  const end = new RunEnd(io, AbortSignal.any([io.stopSignal(), quit.signal]))
  const session = new DevSession(args, io, end)
  const endKeys = listenToKeys(session, io, () => quit.abort())
  try {
    await session.run()
    return end.code
  } finally {
    endKeys()
    end.close()
  }
}

const HELP = 'Keys: o opens the editor, r compiles again, t prints a token, h shows this list, q quits.\n'

/**
 * Handles keys of the terminal; without a terminal it does nothing.
 * @returns a function that restores the terminal
 */
function listenToKeys(session: DevSession, io: CommandIo, quit: () => void): () => void {
  if (io.onKey === undefined) return () => {}
  const fail = (error: unknown): void => io.stderr(printError(error, false))
  const actions: Readonly<Record<string, () => void>> = {
    o: () => openEditor(session.editorUrl, io),
    r: () => void session.refresh().catch(fail),
    t: () => void session.printToken().catch(fail),
    h: () => io.stdout(HELP),
    q: quit,
  }
  io.stdout(HELP)
  return io.onKey((key) => (Object.hasOwn(actions, key) ? actions[key] : undefined)?.())
}

function openEditor(url: string | null, io: CommandIo): void {
  if (url === null) {
    io.stdout('The service does not listen yet.\n')
    return
  }
  const [command, ...args] = browserCommand(url, io.env.BROWSER)
  const child = spawn(command!, args, { stdio: 'ignore', detached: true })
  const say = (): void => io.stdout(`No browser can be started here. Open ${url}\n`)
  child.once('error', say)
  child.unref()
}

/**
 * Returns the command that opens a URL, and its arguments.
 * @param own command of the user, as other programs read it from BROWSER
 */
function browserCommand(url: string, own: string | undefined): readonly string[] {
  if (own !== undefined && own !== '') return [own, url]
  if (process.platform === 'darwin') return ['open', url]
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '', url]
  return ['xdg-open', url]
}
