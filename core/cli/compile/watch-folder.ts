import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Delay after the last change, because editors write a file in several steps. */
const SETTLE_MS = 150

/**
 * Watches the files of a folder, without the folders below.
 * @param applies tests whether changes of the file at a path are reported
 * @param changed called with the path of a changed file
 * @returns `null`: there is no such folder
 */
export function watchFolder(
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

/** Most folders that are watched, because the system limits the number of watches. */
const MOST_FOLDERS = 500
const NOT_OF_THE_AUTHOR = /^(?:\.|node_modules$|dist$|build$|venv$|__pycache__$|site-packages$)/

/** Returns the folder and the folders below it that can contain imported modules. Nearer folders come first. */
export function foldersBelow(root: string): readonly string[] {
  const found = [root]
  for (let next = 0; next < found.length && found.length < MOST_FOLDERS; next++) {
    const folder = found[next]!
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !NOT_OF_THE_AUTHOR.test(entry.name)) found.push(join(folder, entry.name))
    }
  }
  return found.slice(0, MOST_FOLDERS)
}

/** Returns a function that collects changed paths, and passes them on in calls that do not overlap. */
export function oneAtATime(action: (paths: ReadonlySet<string>) => Promise<void>): (path: string) => void {
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
