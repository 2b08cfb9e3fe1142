import { setFlagsFromString } from 'node:v8'
import type { App } from '../../service/app.ts'
import type { RootLog } from '../../service/signals/log.ts'
import { type CommandArgs, type CommandIo, defineCommand, type ExitCode } from '../command/command.ts'
import type { ProjectDatabase } from '../database/project-database.ts'
import { describeService } from '../project/describe-service.ts'
import { loadProject, PROJECT_FLAGS, type Project } from '../project/load-project.ts'
import { WORKER_VARIABLE } from '../workers/messages.ts'
import type { WorkerLink } from '../workers/worker-link.ts'
import { bootProject } from './boot-project.ts'
import { announceService } from './print-banner.ts'
import { RunEnd } from './run-end.ts'
import { offerStdout, takeStdout } from './take-stdout.ts'
import { watchProject } from './watch-project.ts'

/** The command `svc run`, which serves a project. */
export const runCommand = defineCommand({
  name: 'run',
  summary: 'Serve the compiled schema.',
  description:
    'Boots from the compiled schema; the database need not be there yet. An embedded database that does not exist is\n' +
    'created first, from the scripts of its init_dir. SIGUSR1 loads the compiled schema again without a failed request,\n' +
    'SIGTERM and Ctrl+C finish what is in flight and stop; a second one stops at once. With server.workers above 1 this\n' +
    'process supervises as many others, and signals to it reach all of them.',
  arguments: [
    {
      name: 'INPUT',
      description:
        'svc.toml, its folder, or a compiled schema (.json) to serve instead of the configured one. Default: svc.toml',
    },
  ],
  options: [
    ...Object.values(PROJECT_FLAGS).map(({ option }) => option),
    {
      name: 'watch',
      short: 'w',
      type: 'boolean',
      description:
        'Compile and reload when the schema changes; apply what changes in the scripts of an embedded database.',
    },
  ],
  examples: ['svc run', 'svc run shop/svc.toml --port 9000', 'DATABASE_URL=postgres://… svc run --preset minimal'],
  run,
})

async function run(args: CommandArgs, io: CommandIo): Promise<ExitCode> {
  // A single process does not load the code of workers.
  const link = io.env[WORKER_VARIABLE] === undefined ? null : await linkWorker(io)
  try {
    const stdio = args.flags[STDIO] === true || /^(1|true)$/.test(io.env.SVC_MCP_STDIO ?? '')
    // Before the code of the project is loaded, which can write to stdout.
    if (io.isProcess === true) offerStdout()
    if (stdio) takeStdout()
    const flags = stdio ? { ...args.flags, [STDIO]: true } : args.flags
    const project = await loadProject({ input: args.positionals[0], flags }, io)
    if (link === null && project.config.server.workers > 1) {
      const { superviseWorkers } = await import('./supervise-workers.ts')
      return await superviseWorkers(project, args, io)
    }
    const manner = { watch: args.flags.watch === true, stdio }
    return await runProject(link === null ? project : await shareOf(project, link), link, manner, io)
  } finally {
    link?.end()
  }
}

async function linkWorker({ env }: CommandIo): Promise<WorkerLink | null> {
  return (await import('../workers/worker-link.ts')).linkToSupervisor(env)
}

async function shareOf(project: Project, { index }: WorkerLink): Promise<Project> {
  const { shareDatabase } = await import('../workers/share-database.ts')
  return { ...project, config: { ...project.config, ...shareDatabase(project.config, index) } }
}

const STDIO = 'mcp-stdio'

/** Serves until a signal or the supervisor stops it, or an unhandled error ends it. */
async function runProject(
  project: Project,
  link: WorkerLink | null,
  { watch, stdio }: { readonly watch: boolean; readonly stdio: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const end = new RunEnd(io, link?.stop ?? io.stopSignal())
  try {
    const booted = await end.orStopped(bootProject(project, io, link, end))
    if (booted === null) return end.code
    const { app, log, database, embedded } = booted
    try {
      const parts = { project, link, log, stop: end.stop, io, stdio, watch: watch ? { database, embedded } : null }
      await serve(app, parts)
    } finally {
      await booted.close()
    }
    return end.code
  } finally {
    end.close()
  }
}

interface ServeParts {
  readonly project: Project
  readonly link: WorkerLink | null
  readonly log: RootLog
  readonly stop: AbortSignal
  readonly io: CommandIo
  readonly watch: ProjectDatabase | null
  /** Does it serve standard input and output only? */
  readonly stdio: boolean
}

/** Serves, and returns when `stop` aborts. */
async function serve(app: App, { project, link, log, stop, io, watch, stdio }: ServeParts): Promise<void> {
  // A failed reload has been reported by a signal event, and the service keeps the old schema.
  const reload = () => void app.reload().catch(() => {})
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }))
  if (stop.aborted) return
  const url = stdio ? null : await app.listen()
  // Under load, a larger young generation saves processor time. `bin/svc.js` holds it back during the start.
  if (io.isProcess === true) setFlagsFromString('--semi-space-growth-factor=2')
  const hash = () => app.kernel.generation.hash
  const endReload =
    link === null ? io.onReload(reload) : link.onReload(async () => ({ result: await app.reload(), hash: hash() }))
  const endWatch = watch === null ? () => {} : await watchProject(project, { serving: watch, io, log, reload })
  if (url === null) log.info({ hash: hash() }, 'serves an agent over standard input and output')
  else {
    const service = describeService(app, project, url)
    if (link === null) announceService(service, log, io)
    else link.announce({ url, hash: hash(), service })
  }
  await stopped
  endReload()
  endWatch()
}
