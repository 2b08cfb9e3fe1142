import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RootLog } from '../../service/signals/log.ts'
import { type CommandArgs, type CommandIo, EXIT } from '../command/command.ts'
import type { ProjectDatabase } from '../database/project-database.ts'
import type { Project } from '../project/load-project.ts'

/** Delay after the last change, because an artifact is written in several steps. */
const SETTLE_MS = 100

export interface WatchOptions {
  /** Database that this process serves; `null`: worker processes serve it. */
  readonly serving: ProjectDatabase | null
  readonly io: CommandIo
  readonly log: RootLog
  readonly reload: () => void
}

/**
 * Compiles when the schema or a script of the database changes, and reloads when the compiled schema changes. Changed scripts are applied to
 * the running embedded database, and the schema is compiled with its catalog. If a script cannot be applied, or the schema does not
 * compile, the old version stays active.
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
  return sources.watchSources(args, io, async () => {
    const failed = (error?: unknown) => log.error({ error }, 'the schema does not compile; the old one stays active')
    if (follow !== undefined && !(await follow())) return
    const code = await compile.compileOnce(args, io, embedded).catch(failed)
    if (code === EXIT.invalid) failed()
  })
}

function watchFile(path: string, changed: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined
  return watch(dirname(path), (_event, name) => {
    if (name !== basename(path)) return
    clearTimeout(timer)
    timer = setTimeout(changed, SETTLE_MS).unref()
  })
}
