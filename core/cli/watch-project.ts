import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RootLog } from '../signals/log.ts'
import { type CommandArgs, type CommandIo, EXIT } from './command.ts'
import { loadCommand } from './commands.ts'
import type { Project } from './load-project.ts'

/** An artifact is written in several steps; one look after the last is enough. */
const SETTLE_MS = 100

export interface WatchOptions {
  readonly io: CommandIo
  readonly log: RootLog
  readonly reload: () => void
}

/**
 * Compiles when the schema or a script of the database changes, and reloads when the compiled schema does. A schema
 * that does not compile leaves the old one active.
 * @returns the function that ends it
 */
export async function watchProject(project: Project, { io, log, reload }: WatchOptions): Promise<() => void> {
  const artifact = watchFile(project.artifact, reload)
  const endSources = existsSync(project.file) ? await watchSources(project, io, log) : () => {}
  return () => {
    artifact.close()
    endSources()
  }
}

async function watchSources({ file }: Project, io: CommandIo, log: RootLog): Promise<() => void> {
  // The compiler is read only where somebody develops.
  const compile = await import('./compile/watch-sources.ts')
  const command = await loadCommand('compile')
  const args: CommandArgs = { positionals: [], flags: { config: file } }
  return compile.watchSources(args, io, async () => {
    const failed = (error?: unknown) => log.error({ error }, 'the schema does not compile; the old one stays active')
    const code = await command?.run(args, io).catch(failed)
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
