import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Detects side effects on other tests: memory measurements, the process's signals and end, the clock, the
 * environment. Such a file runs in its own process, as does a file with a longer timeout.
 */
const ALONE =
  /^t\.setTimeout\([3-9]\d\d_000|\bmemoryUsage\(|collectGarbage|setFlagsFromString|\bprocess\.(?:on|once|kill|exit|chdir)\(|\bprocess\.env\.\w+ = |\bDate\.now = |\bprocess\.exitCode = /m
/** Limit, so that the last group does not delay a run. */
const MOST = 10

/**
 * Groups the files that share a process: those of one folder, in their order. Loading and compiling the imports of a
 * test takes longer than most tests.
 */
export function groupFiles(root: string, files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files) {
    const room = isAlone(root, file) ? null : roomOf(file)
    let group = room === null ? undefined : open.get(room)
    if (group === undefined || group.length === MOST) {
      group = []
      groups.push(group)
      if (room !== null) open.set(room, group)
    }
    group.push(file)
  }
  return groups
}

/** `test/core/engine/plan`, `test/plugins/graphql`. */
function roomOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/')
}

function isAlone(root: string, file: string): boolean {
  return ALONE.test(readFileSync(join(root, file), 'utf8'))
}
