import { numeric, renderTable } from './table.ts'

/** Output of `--cpu-prof`. Times are microseconds of the machine's monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface Frame {
  readonly name: string
  /** `core/service/http/server.ts`, `pg/lib/client.js:12`; empty for native code. */
  readonly place: string
  /** Share of the non-idle time, 0 to 1. */
  readonly share: number
}

export interface SelfTimes {
  /** Busy share of the total time, 0 to 1. */
  readonly busy: number
  readonly frames: readonly Frame[]
}

export interface ProfileRun extends SelfTimes {
  readonly workload: string
  readonly title: string
  readonly rps: number
}

export interface SelfTimeOptions {
  /** Samples outside are left out: start, warm-up, shutdown. */
  readonly from: number
  readonly to: number
  /** Folder of the project, ending with a slash. */
  readonly root: string
  readonly most: number
  /** Reads a chunk of the build by absolute path. */
  readonly readChunk: (path: string) => string
}

/** The frames with the most time of their own. */
export function selfTimes(profile: CpuProfile, { from, to, root, most, readChunk }: SelfTimeOptions): SelfTimes {
  const moduleAt = createModuleFinder(readChunk)
  const frames = new Map<number, Omit<Frame, 'share'>>()
  for (const { id, callFrame } of profile.nodes) {
    const { functionName, url, lineNumber } = callFrame
    frames.set(id, {
      name: functionName || '(anonymous)',
      place: url === '' ? '' : placeOf(url, lineNumber, root, moduleAt),
    })
  }
  const times = new Map<string, Omit<Frame, 'share'> & { time: number }>()
  let total = 0
  let idle = 0
  let at = profile.startTime
  for (const [i, sample] of profile.samples.entries()) {
    const delta = profile.timeDeltas[i] ?? 0
    at += delta
    if (at < from || at > to) continue
    const frame = frames.get(sample)
    if (frame === undefined) continue
    total += delta
    if (frame.name === '(idle)') {
      idle += delta
      continue
    }
    const key = `${frame.name} ${frame.place}`
    const known = times.get(key)
    if (known === undefined) times.set(key, { ...frame, time: delta })
    else known.time += delta
  }
  const busy = total - idle
  return {
    busy: total === 0 ? 0 : busy / total,
    frames: [...times.values()]
      .toSorted((a, b) => b.time - a.time)
      .slice(0, most)
      .map(({ name, place, time }) => ({ name, place, share: time / busy })),
  }
}

type ModuleFinder = (chunk: string, line: number) => string

/**
 * Creates a function that finds the source module of a line of a chunk. esbuild writes the path of each module as a comment above it.
 */
function createModuleFinder(readChunk: (path: string) => string): ModuleFinder {
  const modules = new Map<string, readonly { readonly line: number; readonly path: string }[]>()
  return (chunk, line) => {
    let starts = modules.get(chunk)
    if (starts === undefined) {
      starts = readChunk(chunk)
        .split('\n')
        .flatMap((text, at) => {
          const path = /^\/\/ ((?:core|plugins|presets)\/\S+\.ts)$/.exec(text)?.[1]
          return path === undefined ? [] : [{ line: at, path }]
        })
      modules.set(chunk, starts)
    }
    return starts.findLast((start) => start.line <= line)?.path ?? chunk.slice(chunk.lastIndexOf('/') + 1)
  }
}

/**
 * Returns the path below the project, or of Node itself, with the line; never an absolute path. A frame of a chunk has its source module
 * without a line.
 */
function placeOf(url: string, lineNumber: number, root: string, moduleAt: ModuleFinder): string {
  const line = `:${lineNumber + 1}`
  if (url.startsWith('node:')) return url + line
  const path = decodeURIComponent(url.replace(/^file:\/\//, ''))
  if (path.includes('/node_modules/'))
    return path.slice(path.lastIndexOf('/node_modules/') + '/node_modules/'.length) + line
  if (path.startsWith(`${root}dist/`)) return moduleAt(path, lineNumber)
  return (path.startsWith(root) ? path.slice(root.length) : (path.split('/').pop() ?? '')) + line
}

export function renderProfile({ workload, title, rps, busy, frames }: ProfileRun): string {
  const rows = frames.map(({ name, place, share }) => [
    `${(share * 100).toFixed(1)} %`,
    `\`${name}\``,
    place === '' ? '' : `\`${place}\``,
  ])
  const table = renderTable([...numeric('of the busy time'), { title: 'frame' }, { title: 'where' }], rows)
  const head = `**${workload}**, ${title}: ${rps.toFixed(0)} requests/s under the profiler, ${(busy * 100).toFixed(0)} % busy`
  return `${head}\n\n${table}`
}
