import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { RootLog } from '../signals/log.ts'
import { type CommandIo, EXIT } from './command.ts'
import { loadCommand } from './commands.ts'
import type { Project } from './load-project.ts'

/** Editors write a file in several steps; one look after the last is enough. */
const SETTLE_MS = 150

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
  const { baseDir, config, file, artifact } = project
  const source = resolve(baseDir, config.svc.schema_file)
  const scripts = resolve(baseDir, config.database.init_dir)
  const compile = settled(() => void compileSource(project, io, log))
  const tell = settled(() => log.warn({ file }, 'the configuration has changed; start again to use it'))
  const watchers = [
    watchFolder(dirname(source), isSource(source, artifact), compile),
    watchFolder(scripts, (name) => name.endsWith('.sql'), compile),
    watchFolder(dirname(artifact), (name) => name === basename(artifact), settled(reload)),
    watchFolder(baseDir, (name) => name === basename(file), tell),
  ]
  return () => {
    for (const watcher of watchers) watcher?.close()
  }
}

/** The schema itself, and the modules beside it that it may import. */
function isSource(source: string, artifact: string): (name: string) => boolean {
  const isModule = /\.[cm]?[jt]s$/.test(source)
  return (name) =>
    join(dirname(source), name) !== artifact && (name === basename(source) || (isModule && /\.[cm]?[jt]s$/.test(name)))
}

async function compileSource({ file }: Project, io: CommandIo, log: RootLog): Promise<void> {
  try {
    const command = await loadCommand('compile')
    const code = await command?.run({ positionals: [], flags: { config: file } }, io)
    if (code !== EXIT.ok) log.warn({}, 'the schema does not compile; the old one stays active')
  } catch (error) {
    log.error({ error }, 'the schema does not compile; the old one stays active')
  }
}

function watchFolder(folder: string, applies: (name: string) => boolean, changed: () => void): FSWatcher | null {
  try {
    return watch(folder, (_event, name) => {
      if (name !== null && applies(name)) changed()
    })
  } catch {
    // No such folder: a project need not have scripts.
    return null
  }
}

function settled(action: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(action, SETTLE_MS)
    timer.unref()
  }
}
