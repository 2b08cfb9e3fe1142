import { dirname, join } from 'node:path'
import t from 'tap'
import { importsOf, listFiles, read } from './source-files.ts'

/**
 * Files that import each other in a circle cannot be read, moved or tested one at a time. Imports of types count: what two
 * files need of each other belongs in a third.
 */
t.test('no files import each other in a circle', async (t) => {
  const files = [...listFiles('core', '.ts'), ...listFiles('plugins', '.ts'), ...listFiles('presets', '.ts')]
  t.ok(files.length > 300, 'the files are found')
  const graph = new Map(files.map((file) => [file, importedBy(file, read(file))]))
  for (const circle of findCircles(graph)) t.fail(circle.join('\n  → '))
})

t.test('a circle is found, also by type imports and re-exports, and printed as a path', async (t) => {
  const sources = {
    'a.ts': "import { b } from './b.ts'",
    'b.ts': "import type { C } from './rooms/c.ts'",
    'rooms/c.ts': "export * from '../a.ts'",
    'alone.ts': "import { b } from './b.ts'\nimport 'node:fs'",
  }
  const graph = new Map(Object.entries(sources).map(([file, source]) => [file, importedBy(file, source)]))
  t.strictSame(findCircles(graph), [['a.ts', 'b.ts', 'rooms/c.ts', 'a.ts']])
  graph.set('rooms/c.ts', [])
  t.strictSame(findCircles(graph), [])
})

function importedBy(file: string, source: string): readonly string[] {
  return importsOf(source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(file), specifier))
}

/** @returns for each circle that is met first one way round it, its first file at the end again */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (file: string): void => {
    const at = way.indexOf(file)
    if (at !== -1) found.push([...way.slice(at), file])
    if (at !== -1 || done.has(file)) return
    way.push(file)
    for (const imported of graph.get(file) ?? []) visit(imported)
    way.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return found
}
