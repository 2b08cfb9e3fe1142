import { dirname, join } from 'node:path'
import t from 'tap'
import { importsOf, listFiles, read } from './source-files.ts'

/** Both numbers may only fall. The goals: fewer than 15 pairs, fewer than 80 files. */
const MOST_PAIRS = 2
const MOST_SMALL_FILES = 78
const SMALL_LINES = 60

const files = ['core', 'plugins', 'presets'].flatMap((folder) => listFiles(folder, '.ts'))

/** File → files that it imports. */
function importGraph(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map((file) => [
      file,
      importsOf(read(file)).flatMap((specifier) => (specifier.startsWith('.') ? [join(dirname(file), specifier)] : [])),
    ]),
  )
}

/** Pairs of folders of which each imports from the other, as `a <-> b`. */
function pairsOf(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const edges = new Set<string>()
  for (const [file, imported] of graph) {
    for (const target of imported)
      if (dirname(file) !== dirname(target)) edges.add(`${dirname(file)} ${dirname(target)}`)
  }
  return [...edges].flatMap((edge) => {
    const [from, to] = edge.split(' ') as [string, string]
    return from < to && edges.has(`${to} ${from}`) ? [`${from} <-> ${to}`] : []
  })
}

const graph = importGraph()

t.test('folders import each other less and less', async (t) => {
  const both = new Map([
    ['a/x.ts', ['b/y.ts']],
    ['b/y.ts', ['a/z.ts']],
    ['a/z.ts', ['a/x.ts', 'c/w.ts']],
  ])
  t.same(pairsOf(both), ['a <-> b'])
  const pairs = pairsOf(graph)
  t.equal(pairs.length, MOST_PAIRS, `lower MOST_PAIRS, or find the new one:\n${pairs.join('\n')}`)
})

t.test('small files with one importer beside them become fewer', async (t) => {
  const importers = new Map<string, Set<string>>()
  for (const [file, imported] of graph) {
    for (const target of imported) importers.set(target, (importers.get(target) ?? new Set()).add(file))
  }
  const small = files.filter((file) => {
    const [only, ...others] = importers.get(file) ?? []
    if (only === undefined || others.length > 0 || dirname(only) !== dirname(file)) return false
    return read(file).split('\n').length <= SMALL_LINES
  })
  t.equal(small.length, MOST_SMALL_FILES, 'lower MOST_SMALL_FILES, or merge a file that only its neighbour imports')
})
