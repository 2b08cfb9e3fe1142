import { dirname, extname, resolve } from 'node:path'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import type { Project } from '../project/load-project.ts'
import { findInput } from './find-input.ts'
import { foldersBelow, oneAtATime, watchFolder } from './watch-folder.ts'

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
