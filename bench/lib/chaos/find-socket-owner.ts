import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Which of these processes holds a TCP connection of this machine, by its own port and the one that it is connected to.
 * @returns `null`: none of them, any more
 */
export function findSocketOwner(pids: readonly number[], from: number, to: number): number | null {
  const inode = inodeOf(from, to)
  if (inode === null) return null
  return pids.find((pid) => descriptorsOf(pid).includes(`socket:[${inode}]`)) ?? null
}

function inodeOf(from: number, to: number): string | null {
  const port = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0')
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
    if (local.endsWith(`:${port(from)}`) && remote.endsWith(`:${port(to)}`)) return inode
  }
  return null
}

function descriptorsOf(pid: number): readonly string[] {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(`${folder}/${name}`)]
      } catch {
        // Closed meanwhile.
        return []
      }
    })
  } catch {
    return []
  }
}
