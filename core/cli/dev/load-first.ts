import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import { printError } from '../command/print-error.ts'
import { foldersBelow, oneAtATime, watchFolder } from '../compile/watch-folder.ts'
import { loadProject } from '../project/load-project.ts'

/** Files whose change may mend the loading of a project: svc.toml, and the modules of plugins. */
const MENDS = /(?:\.toml|\.[cm]?[jt]s)$/

export interface FirstLoad {
  readonly load: () => Promise<void>
  /** Waits until a watched file changes (`wake` is called) or `svc dev` is stopped. */
  readonly pause: () => Promise<void>
  readonly wake: () => void
  readonly stop: AbortSignal
}

/**
 * Loads the project of `svc dev`. While its configuration is invalid, prints the error and waits for a change.
 * @returns `false`: `svc dev` was stopped before the project could be loaded
 * @throws SvcError when no change of a file can mend it: there is no svc.toml, or a flag is invalid
 */
export async function loadFirst(
  { positionals: [input], flags }: CommandArgs,
  io: CommandIo,
  { load, pause, wake, stop }: FirstLoad,
): Promise<boolean> {
  const given = resolve(io.cwd, input ?? 'svc.toml')
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const folder = isFolder ? given : dirname(given)
  const changed = oneAtATime(async () => wake())
  const folders = existsSync(folder) ? foldersBelow(folder) : []
  // Before the first load, so that no change is missed.
  const watchers = folders.map((one) => watchFolder(one, (path) => MENDS.test(path), changed))
  try {
    while (!stop.aborted) {
      try {
        await load()
        return true
      } catch (error) {
        if (error instanceof SvcError && error.code === 'SVC_CONFIG_NOT_FOUND') throw error
        await checkFlags(flags, folder, io)
        io.stderr(`${printError(error, false)}Waiting for a change of ${isFolder ? join(given, 'svc.toml') : given}\n`)
      }
      await pause()
    }
    return false
  } finally {
    for (const watcher of watchers) watcher?.close()
  }
}

/**
 * Loads an empty project with the flags.
 * @throws SvcError of an invalid flag, which no change of a file mends
 */
async function checkFlags({ port, host, preset }: CommandArgs['flags'], folder: string, io: CommandIo): Promise<void> {
  const flags = Object.fromEntries(Object.entries({ port, host, preset }).filter(([, value]) => value !== undefined))
  const none = join(folder, '.svc-no-configuration.toml')
  await loadProject({ input: none, optional: true, flags: flags as CommandArgs['flags'] }, { ...io, env: {} })
}
