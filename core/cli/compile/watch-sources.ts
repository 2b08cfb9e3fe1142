import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { findInput } from './find-input.ts'

/** Delay after the last change, because editors write a file in several steps. */
const SETTLE_MS = 150
const MODULE = /\.[cm]?[jt]s$/

/**
 * Calls `changed` when the schema, svc.toml or a script of the database changes. For a schema module, all modules in
 * its folder and below are watched. Calls do not overlap: changes during a call lead to one further call.
 * @param changed receives the absolute paths of the changed files
 * @returns a function that stops watching
 */
export async function watchSources(
  args: CommandArgs,
  io: CommandIo,
  changed: (paths: ReadonlySet<string>) => Promise<void>,
): Promise<() => void> {
  const { project, input, output } = await findInput(args, io)
  const written = MODULE.test(input) ? input.replace(MODULE, '.json') : null
  const isModule = MODULE.test(extname(input))
  const isSource = (path: string): boolean => {
    if (path === output || path === written) return false
    return path === input || (isModule && MODULE.test(path))
  }
  const isScript = (path: string): boolean => path.endsWith('.sql')
  const run = oneAtATime(changed)
  const folders = isModule ? foldersBelow(dirname(input)) : [dirname(input)]
  const watchers = [
    ...folders.map((folder) => watchFolder(folder, isSource, run)),
    watchFolder(project.baseDir, (path) => path === project.file, run),
    watchFolder(resolve(project.baseDir, project.config.database.init_dir), isScript, run),
    // Parameters and results of mutations are read from these scripts.
    ...functionFolders(project).map((folder) => watchFolder(folder, isScript, run)),
  ]
  return () => {
    for (const watcher of watchers) watcher?.close()
  }
}

function functionFolders({ config, baseDir }: Project): readonly string[] {
  const all = [config.database, ...Object.values(config.databases)]
  return [...new Set(all.map(({ functions = 'db/functions' }) => resolve(baseDir, functions)))]
}

/** Most folders that are watched, because the system limits the number of watches. */
const MOST_FOLDERS = 500
const NOT_OF_THE_AUTHOR = /^(?:\.|node_modules$|dist$|build$)/

/** Returns the folder and the folders below it that can contain imported modules. Nearer folders come first. */
function foldersBelow(root: string): readonly string[] {
  const found = [root]
  for (let next = 0; next < found.length && found.length < MOST_FOLDERS; next++) {
    const folder = found[next]!
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !NOT_OF_THE_AUTHOR.test(entry.name)) found.push(join(folder, entry.name))
    }
  }
  return found.slice(0, MOST_FOLDERS)
}

function oneAtATime(action: (paths: ReadonlySet<string>) => Promise<void>): (path: string) => void {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  let paths = new Set<string>()
  return (path) => {
    paths.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(() => {
        if (paths.size === 0) return
        const changed = paths
        paths = new Set()
        return action(changed)
      })
    }, SETTLE_MS)
  }
}

function watchFolder(
  folder: string,
  applies: (path: string) => boolean,
  changed: (path: string) => void,
): FSWatcher | null {
  try {
    return watch(folder, (_event, name) => {
      if (name === null) return
      const path = join(folder, name)
      if (applies(path)) changed(path)
    })
  } catch {
    // The folder does not exist: scripts are optional.
    return null
  }
}
