import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { findInput } from './find-input.ts'

/** Delay after the last change, because editors write a file in several steps. */
const SETTLE_MS = 150
const MODULE = /\.[cm]?[jt]s$/

/**
 * Calls back when the schema (for a module: any module beside it), svc.toml or a script of the database changes. Calls do not overlap;
 * changes during a call lead to one further call.
 * @returns a function that stops watching
 */
export async function watchSources(
  args: CommandArgs,
  io: CommandIo,
  changed: () => Promise<void>,
): Promise<() => void> {
  const { project, input, output } = await findInput(args, io)
  const written = MODULE.test(input) ? input.replace(MODULE, '.json') : null
  const isSource = (name: string): boolean => {
    const path = join(dirname(input), name)
    if (path === output || path === written) return false
    return path === input || (MODULE.test(extname(input)) && MODULE.test(name))
  }
  const run = oneAtATime(changed)
  const watchers = [
    watchFolder(dirname(input), isSource, run),
    watchFolder(project.baseDir, (name) => name === basename(project.file), run),
    watchFolder(resolve(project.baseDir, project.config.database.init_dir), (name) => name.endsWith('.sql'), run),
    // Parameters and results of mutations are read from these scripts.
    ...functionFolders(project).map((folder) => watchFolder(folder, (name) => name.endsWith('.sql'), run)),
  ]
  return () => {
    for (const watcher of watchers) watcher?.close()
  }
}

function functionFolders({ config, baseDir }: Project): readonly string[] {
  const all = [config.database, ...Object.values(config.databases)]
  return [...new Set(all.map(({ functions = 'db/functions' }) => resolve(baseDir, functions)))]
}

function oneAtATime(action: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  return () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(action)
    }, SETTLE_MS)
  }
}

function watchFolder(folder: string, applies: (name: string) => boolean, changed: () => void): FSWatcher | null {
  try {
    return watch(folder, (_event, name) => {
      if (name !== null && applies(name)) changed()
    })
  } catch {
    // The folder does not exist: scripts are optional.
    return null
  }
}
