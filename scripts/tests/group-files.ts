import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * What the neighbours of a test would feel: memory that is measured, the process's own signals and end, the clock, the
 * environment. Such a file has a process of its own, as one that asks for more time than others.
 */
const ALONE =
  /^t\.setTimeout\([3-9]\d\d_000|\bmemoryUsage\(|collectGarbage|setFlagsFromString|\bprocess\.(?:on|once|kill|exit|chdir)\(|\bprocess\.env\.\w+ = |\bDate\.now = |\bprocess\.exitCode = /m
/** So that the last of them does not hold up a run. */
const MOST = 10

/**
 * Which files share a process: those of one folder, in their order. To load what a test imports, and to make it fast, takes
 * longer than most of them.
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
