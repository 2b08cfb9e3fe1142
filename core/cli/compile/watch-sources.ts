import type { FSWatcher } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { jsonBeside } from '../../compiler/json-beside.ts'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { findInput } from './find-input.ts'
import { foldersBelow, oneAtATime, watchFolder } from './watch-folder.ts'

/** Endings of modules that a module of the schema can import, by the language of the schema. */
const MODULES = [/\.[cm]?[jt]s$/, /\.py$/]

/** A running watch of sources. */
export interface SourceWatch {
  /** Stops watching. */
  stop(): void
  /**
   * Watches further files, which the schema imports from other folders. They replace those of the last call.
   * @param files absolute paths
   */
  follow(files: readonly string[]): void
}

/**
 * Calls `changed` when the schema, svc.toml or a script of the database changes. For a schema module, all modules in
 * its folder and below are watched. Calls of `changed` do not overlap: changes during a call lead to one further call.
 * @param changed receives the absolute paths of the changed files
 */
export async function watchSources(
  args: CommandArgs,
  io: CommandIo,
  changed: (paths: ReadonlySet<string>) => Promise<void>,
): Promise<SourceWatch> {
  const { project, input, output } = await findInput(args, io)
  const module = MODULES.find((ending) => ending.test(input))
  const written = module === undefined ? null : jsonBeside(input)
  const isSource = (path: string): boolean => {
    if (path === output || path === written) return false
    return path === input || module?.test(path) === true
  }
  const isScript = (path: string): boolean => path.endsWith('.sql')
  const run = oneAtATime(changed)
  const folders = module !== undefined ? foldersBelow(dirname(input)) : [dirname(input)]
  const watchers = [
    ...folders.map((folder) => watchFolder(folder, isSource, run)),
    watchFolder(project.baseDir, (path) => path === project.file, run),
    watchFolder(resolve(project.baseDir, project.config.database.init_dir), isScript, run),
    // Parameters and results of mutations are read from these scripts.
    ...functionFolders(project).map((folder) => watchFolder(folder, isScript, run)),
  ]
  let followed: readonly (FSWatcher | null)[] = []
  const follow = (files: readonly string[]): void => {
    for (const watcher of followed) watcher?.close()
    const others = files.filter((file) => !folders.includes(dirname(file)))
    followed = [...new Set(others.map((file) => dirname(file)))].map((folder) =>
      watchFolder(folder, (path) => others.includes(path), run),
    )
  }
  return {
    follow,
    stop() {
      for (const watcher of [...watchers, ...followed]) watcher?.close()
    },
  }
}

function functionFolders({ config, baseDir }: Project): readonly string[] {
  const all = [config.database, ...Object.values(config.databases)]
  return [...new Set(all.map(({ functions = 'db/functions' }) => resolve(baseDir, functions)))]
}
