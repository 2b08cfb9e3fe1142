import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RootLog } from '../../service/signals/log.ts'
import { type CommandArgs, type CommandIo, EXIT } from '../command/command.ts'
import type { ProjectDatabase } from '../database/project-database.ts'
import type { Project } from '../project/load-project.ts'

/** Delay after the last change, because an artifact is written in several steps. */
const SETTLE_MS = 100

export interface WatchOptions {
  /** The database of the service in this process; `null`: worker processes run the service. */
  readonly serving: ProjectDatabase | null
  readonly io: CommandIo
  readonly log: RootLog
  readonly reload: () => void
}

/**
 * Watches the files of a running project: it compiles the schema when the schema or an SQL script changes, and reloads
 * the service when the compiled schema changes. Changed scripts are first applied to a running embedded database. If a
 * script fails, or the schema does not compile, the old version stays active.
 * @returns a function that stops watching
 */
export async function watchProject(project: Project, options: WatchOptions): Promise<() => void> {
  const artifact = watchFile(project.artifact, options.reload)
  const endSources = existsSync(project.file) ? await watchSources(project, options) : () => {}
  return () => {
    artifact.close()
    endSources()
  }
}

async function watchSources(project: Project, { serving, io, log }: WatchOptions): Promise<() => void> {
  // Imported here because only development needs the compiler.
  const [compile, sources, scripts] = await Promise.all([
    import('../compile/compile.ts'),
    import('../compile/watch-sources.ts'),
    import('../database/script-watch.ts'),
  ])
  const embedded = serving !== null && serving.embedded !== null ? serving.database : undefined
  const follow = embedded && (await scripts.followScripts(project, embedded, serving!.embedded!.folder, log))
  const args: CommandArgs = { positionals: [], flags: { config: project.file } }
  const watch = await sources.watchSources(args, io, async () => {
    const failed = (error?: unknown) => log.error({ error }, 'the schema does not compile; the old one stays active')
    if (follow !== undefined && !(await follow())) return
    const code = await compile.compileOnce(args, io, { database: embedded, onSources: watch.follow }).catch(failed)
    if (code === EXIT.invalid) failed()
  })
  return watch.stop
}

function watchFile(path: string, changed: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined
  return watch(dirname(path), (_event, name) => {
    if (name !== basename(path)) return
    clearTimeout(timer)
    timer = setTimeout(changed, SETTLE_MS).unref()
  })
}
